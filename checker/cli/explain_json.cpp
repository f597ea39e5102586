#include <nlohmann/json.hpp>

#include "checker/cli/explain.hpp"
#include "checker/trace_itf.hpp"

namespace ptmc::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Hint& h, const Tariff* tariff) {
  Json price = Json::object();
  for (std::size_t k = 0; k < h.price.more.size(); ++k)
    if (h.price.more[k] != 0) price[tariff->items[k].one] = h.price.more[k];
  return {{"mutation", h.change.mutation.text},
          {"actor", h.change.actor},
          {"step", h.change.step},
          {"after", h.change.after},
          {"as_the_kernel_does", h.undoes},
          {"costs", price},
          {"costs_behind", h.price.behind},
          {"states", h.states},
          {"all_go_on", h.all_go_on ? Json(true) : Json("unknown")}};
}

Json json_of(const Hints& h, const Tariff* tariff) {
  Json found = Json::array();
  for (const Hint& hint : h.found) found.push_back(json_of(hint, tariff));
  const Tally& t = h.tally;
  return {{"found", found},
          {"tried", t.tried},
          {"failed",
           {{"same_trace", t.by_trace},
            {"small_machine", t.by_small},
            {"whole_machine", t.by_whole},
            {"does_less", t.by_cover},
            {"waits_for_ever", t.by_waiting},
            {"blinds_the_property", t.by_blindness},
            {"has_no_meaning", t.by_error}}},
          {"open", t.open}};
}

Json json_of(const Explanation& e) {
  Json j{{"claim", e.claim->name},
         {"sentence", e.claim->sentence},
         {"arch", e.claim->arch},
         {"features", e.claim->features},
         {"instance", e.claim->instance},
         {"expected", to_string(e.claim->expected)},
         {"verdict", e.verdict ? Json(to_string(*e.verdict)) : Json()},
         {"reason", e.reason},
         {"commit", e.claim->commit}};
  j["covers"] = j["elsewhere"] = Json::array();
  for (const Seen& s : e.covers)
    j["covers"].push_back({{"cover", s.name},
                           {"sentence", s.sentence},
                           {"trace", s.trace ? Json::parse(to_itf(*s.trace)) : Json()}});
  j["trace"] = e.shrunk ? Json::parse(to_itf(e.shrunk->found.trace)) : Json();
  j["hints"] = e.hints ? json_of(*e.hints, e.claim->tariff) : Json();
  for (const Elsewhere& x : e.elsewhere)
    j["elsewhere"].push_back({{"arch", x.arch},
                              {"features", x.features},
                              {"verdict", to_string(x.verdict)},
                              {"reason", x.reason},
                              {"steps", x.steps}});
  j["at_work"] = e.at_work;
  return j;
}

}  // namespace

std::string json_of(const std::vector<Explanation>& all) {
  Json j;
  j["claims"] = Json::array();
  for (const Explanation& e : all) j["claims"].push_back(json_of(e));
  return j.dump(1) + "\n";
}

}  // namespace ptmc::cli
