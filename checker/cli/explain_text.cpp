#include <fmt/core.h>

#include <algorithm>

#include "checker/cli/explain.hpp"
#include "checker/cli/text.hpp"
#include "counterexamples/text.hpp"

namespace ptmc::cli {
namespace {

constexpr std::size_t groups_shown = 5, places_shown = 3;

Voice voice_of(const Claim& claim) { return claim.voice == nullptr ? Voice() : *claim.voice; }

Text printed_parts(const Trace& trace, const Claim& claim) {
  const Voice voice = voice_of(claim);
  return print(trace, columns_of(trace, voice), voice, {claim.commit, claim.sentence});
}

std::string title(const Claim& c) {
  return c.name + (c.arch == "any" ? "" : " on " + c.arch) +
         (c.features.empty() ? "" : " (" + c.features + ")") + (c.instance.empty() ? "" : ": " + c.instance);
}

// ---- a claim that holds ----
std::string heading(const Explanation& e) {
  std::string text = title(*e.claim) + "\n" + wrapped(e.claim->sentence, 2);
  for (const Mutation& m : e.mutations) text += wrapped("--mutate " + m.text, 2);
  if (!e.verdict)
    return text + wrapped(fmt::format("Catalogued as {}; `ptmc prove {}` checks it.",
                                      to_string(e.claim->expected), e.claim->name),
                          2);
  return text + wrapped(std::string(to_string(*e.verdict)) + (e.reason.empty() ? "" : ": " + e.reason), 2);
}

std::string covers_text(const Explanation& e) {
  std::string text = heading(e) + wrapped("The shortest runs that show the machine at work:", 2);
  std::size_t number = 0;
  for (const Seen& s : e.covers) {
    text += fmt::format("\n{}. {}\n", ++number, s.name);
    if (s.trace) {
      const Text t = printed_parts(*s.trace, *e.claim);
      text += "\n" + t.diagram + "\n" + t.finding;
    } else {
      text += wrapped("not reached within the limits: sometimes " + s.sentence, 3);
    }
  }
  return text;
}

std::string without_machine(const Explanation& e) {
  std::string text = heading(e);
  if (e.at_work.empty()) return text + wrapped("About words alone: there is no run to show.", 2);
  std::string names;
  for (const std::string& name : e.at_work) names += (names.empty() ? "" : ", ") + name;
  return text + wrapped("Proved by induction, not by runs. The same machine in small is at work in " + names +
                            ": `ptmc explain " + e.at_work.front() + "` shows it.",
                        2);
}

// ---- a claim that is violated ----
std::string notes_of(const Hint& h, const Tariff* tariff) {
  std::string text = h.undoes ? "as the kernel does" : "";
  const auto add = [&](const std::string& note) { text += (text.empty() ? "" : "; ") + note; };
  if (tariff != nullptr)
    add(to_text(h.price, *tariff) +
        (h.price.behind.empty() || h.price.total() == 0 ? "" : " after a round of " + h.price.behind));
  if (!h.all_go_on) add("whether all actors can always go on is not known");
  return text;
}

/// One step at the same price at several places.
struct Group {
  const Hint* first;
  std::string step, notes;
  std::vector<std::string> places;
  bool move = false;
};

std::vector<Group> grouped_by_step(const std::vector<Hint>& found, const Tariff* tariff) {
  std::vector<Group> groups;
  for (const Hint& h : found) {
    const Mutation& m = h.change.mutation;
    const bool move = m.op == Mutation::Op::move;
    const auto brief = [&](const std::string& path) {
      return path.starts_with(h.change.actor + "/") ? path.substr(h.change.actor.size() + 1) : path;
    };
    const std::string step = brief(move ? m.path : m.arg), notes = notes_of(h, tariff);
    const std::string place = brief(move ? m.arg : m.path) + (h.change.skipped ? " (taken or not)" : "");
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.first->change.actor == h.change.actor && g.move == move && g.step == step && g.notes == notes;
    });
    if (at == groups.end())
      groups.push_back({&h, step, notes, {place}, move});
    else
      at->places.push_back(place);
  }
  return groups;
}

std::string group_text(const Group& g, std::size_t number) {
  const std::string what = g.first->change.actor + ": " + (g.move ? "move " : "insert ") + g.step + " after ";
  std::string places;
  for (std::size_t k = 0; k < g.places.size() && k < places_shown; ++k)
    places += (k == 0 ? "" : ", or ") + g.places[k];
  if (g.places.size() > places_shown)
    places += fmt::format(", or at {} more place{}", g.places.size() - places_shown,
                          g.places.size() == places_shown + 1 ? "" : "s");
  std::string lines = wrapped(what + places, 3);
  lines.replace(0, 2, fmt::format("{}.", number));
  return lines + (g.notes.empty() ? "" : wrapped(g.notes, 3)) + wrapped(g.first->change.mutation.text, 3);
}

std::string hints_text(const Explanation& e) {
  const Hints& h = *e.hints;
  std::string text = "\nFix hints\n";
  const std::string tried = fmt::format("{} single steps inserted or moved", grouped(h.tally.tried));
  if (h.found.empty())
    text +=
        wrapped(tried + ": no single step helps" + (h.tally.open == 0 ? "." : " among those decided."), 0);
  else
    text += wrapped(fmt::format("{}: with {} of them every property holds in the whole machine, within its "
                                "bounds, all covers are reached, and nobody waits for ever.",
                                tried, h.found.size()),
                    0);
  const std::vector<Group> groups = grouped_by_step(h.found, e.claim->tariff);
  for (std::size_t k = 0; k < groups.size() && k < groups_shown; ++k) text += group_text(groups[k], k + 1);
  if (groups.size() > groups_shown)
    text += wrapped(fmt::format("{} more kinds; --json has all.", groups.size() - groups_shown), 0);
  if (h.tally.open != 0)
    text += wrapped(fmt::format("{} ended the search: {} are not decided.",
                                h.time_ended ? "--limit-time" : "A limit", grouped(h.tally.open)),
                    0);
  return text;
}

std::string elsewhere_text(const std::vector<Elsewhere>& all) {
  if (all.empty()) return "";
  std::string text = "\nElsewhere\n";
  for (const Elsewhere& e : all) {
    std::string line = fmt::format("  {:<7} {:<6} {}", e.arch, e.features, to_string(e.verdict));
    if (e.steps != 0) line += fmt::format(", {} steps", e.steps);
    text += line + "\n";
    const std::string reason = e.reason.substr(0, e.reason.find("; nearest:"));
    if (!reason.empty()) text += wrapped(reason, 17);
  }
  return text;
}

std::string violation_text(const Explanation& e) {
  const Text t = printed_parts(e.shrunk->found.trace, *e.claim);
  std::string text = t.whole();
  text += wrapped("Machine: " + to_text(e.shrunk->found.dimensions), 0);
  if (e.hints) text += hints_text(e);
  return text + elsewhere_text(e.elsewhere);
}

}  // namespace

std::string text_of(const Explanation& e) {
  if (e.shrunk) return violation_text(e);
  if (!e.claim->system) return without_machine(e);
  if (!e.covers.empty()) return covers_text(e);
  return heading(e) + elsewhere_text(e.elsewhere);
}

}  // namespace ptmc::cli
