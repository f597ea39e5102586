#include "counterexamples/price.hpp"

namespace ptmc {

std::int64_t Price::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t n : more) sum += n;
  return sum;
}

std::string to_text(const Price& price, const Tariff& tariff) {
  Bill more(price.more.size()), less(price.more.size());
  bool costs = false, saves = false;
  for (std::size_t k = 0; k < price.more.size(); ++k) {
    const std::int64_t n = price.more[k];
    (n < 0 ? less : more)[k] = static_cast<u64>(n < 0 ? -n : n);
    costs = costs || n > 0;
    saves = saves || n < 0;
  }
  if (!saves) return "costs " + to_text(more, tariff);
  return (costs ? "costs " + to_text(more, tariff) + ", " : "") + "saves " + to_text(less, tariff);
}

Bills bills_of(const std::string& actor, const Program& program, const Stepper& stepper,
               const Tariff& tariff) {
  std::string mine;
  std::vector<std::string> others{""};
  for (const Actor& a : program.actors)
    if (mine.empty() && a.name == actor)
      mine = a.label();
    else
      others.push_back(a.label());
  Bills bills;
  for (const std::string& other : others) {
    LoneRun run(stepper, tariff);
    try {
      if (!other.empty()) run.round(other);
      bills[other] = run.round(mine);
    } catch (const Endless&) {
    }
  }
  return bills;
}

std::optional<Price> price_of(const Bills& before, const Bills& now) {
  std::optional<Price> dearest;
  for (const auto& [behind, was] : before) {
    const auto at = now.find(behind);
    if (at == now.end()) return std::nullopt;
    Price p{{}, behind};
    for (std::size_t k = 0; k < was.size(); ++k)
      p.more.push_back(static_cast<std::int64_t>(at->second[k]) - static_cast<std::int64_t>(was[k]));
    if (!dearest || p.total() > dearest->total()) dearest = std::move(p);
  }
  return dearest ? dearest : Price{};
}

}  // namespace ptmc
