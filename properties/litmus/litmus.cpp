#include "model/hw/world.hpp"
#include "properties/litmus/table.hpp"

namespace ptmc::litmus {

Setup setup_of(const Table& table, std::size_t index) {
  const Program& p = table.programs[index];
  u64 longest = 0;
  for (const auto& code : p.code)
    for (u64 k = 0; k < code_max; ++k)
      if (code[k].op != Op::end) longest = std::max(longest, k + 1);
  Setup setup;
  setup.actors = {{"cpu", p.cpus()}};
  setup.config.features = p.features;
  setup.config.knob[static_cast<unsigned>(Rule::program)] = static_cast<u8>(index);
  auto bound = [&](By by) -> u64& { return setup.config.bound[static_cast<unsigned>(by)]; };
  bound(By::cpu) = bound(By::actor) = p.cpus();
  bound(By::page) = p.pages;
  bound(By::table) = p.tables;
  bound(By::slot) = longest + 1;
  return setup;
}

std::string features_of(const Table& table, const Program& program) {
  std::string names;
  for (std::size_t k = 0; k < table.features.size(); ++k)
    if ((program.features >> k & 1) != 0)
      names += (names.empty() ? "" : " ") + std::string(table.features[k]);
  return names;
}

}  // namespace ptmc::litmus
