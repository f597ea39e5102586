#include "properties/words/helpers.hpp"

#include "properties/words/helper_table.hpp"

namespace ptmc::words {

Cpu free_cpu(z3::context& context, const std::string& prefix) {
  const auto flag = [&](const char* name) { return sym::Bool(context.bool_const((prefix + name).c_str())); };
  return {flag("shstk"),        flag("la57"),
          flag("poe"),          flag("epan"),
          flag("migration_ad"), sym::Word(context.bv_const((prefix + "supported_pte_mask").c_str(), 64))};
}

LayoutName name_of(Layout layout) {
  switch (layout) {
    case Layout::x86_64:
      return {"x86_64", "x86_64", "6.12"};
    case Layout::x86_64_6_1:
      return {"x86_64_6_1", "x86_64", "6.1"};
    case Layout::arm64:
      return {"arm64", "arm64", "6.12"};
    case Layout::arm64_6_1:
      break;
  }
  return {"arm64_6_1", "arm64", "6.1"};
}

const std::vector<Helper>& helpers(Layout layout) {
  static const std::vector<Helper> tables[] = {x86_64_helpers(), x86_64_6_1_helpers(), arm64_helpers(),
                                               arm64_6_1_helpers()};
  return tables[static_cast<unsigned>(layout)];
}

}  // namespace ptmc::words
