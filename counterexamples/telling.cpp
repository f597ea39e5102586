#include "counterexamples/telling.hpp"

#include <algorithm>
#include <map>

namespace ptmc {
namespace {

using Edge = Scope::Edge;

bool names(std::string_view phrase, std::string_view path) {
  if (!path.ends_with(phrase)) return false;
  return path.size() == phrase.size() || path[path.size() - phrase.size() - 1] == '/';
}

const Phrase* phrase_of(const Action& a, const Voice& voice) {
  for (const Phrase& p : voice.phrases)
    if (names(p.step, a.step)) return &p;
  return nullptr;
}

std::string by_fields(const Moment& m) {
  std::string text = m.action.step.substr(m.action.step.rfind('/') + 1);
  if (!m.action.instance.empty()) text += "(" + m.action.instance + ")";
  std::string changes;
  for (std::size_t k = 0; k < m.after.size(); ++k) {
    const Field& f = m.after[k];
    const bool same = k < m.before.size() && m.before[k].name == f.name && m.before[k].value == f.value;
    if (same || f.name.ends_with(".pc")) continue;
    changes += (changes.empty() ? ": " : ", ") + f.name + " = " + std::to_string(f.value);
  }
  return text + changes;
}

std::string titled(const std::string& name, const Voice& voice) {
  for (const Title& t : voice.titles)
    if (t.of == name) return std::string(t.name);
  return name;
}

std::string title(const Column& c, const Voice& voice) {
  if (c.cpu) return "user";
  if (c.actor.empty()) return "others";
  const std::string actor = c.actor.substr(0, c.actor.find('['));
  std::string copy = c.actor.substr(actor.size());
  copy.erase(std::remove_if(copy.begin(), copy.end(), [](char x) { return x == '[' || x == ']'; }),
             copy.end());
  return titled(actor, voice) + (copy.empty() ? "" : " " + copy);
}

// The lock whose scope the step opens or closes; empty if none.
std::string lock_of(const Moment& m, const Scope& scope) {
  if (scope.edge == Edge::none) return "";
  const auto change = m.change(scope.lock);
  if (!change) return "";
  std::string name;
  std::size_t star = 0;
  for (const char c : scope.lock)
    if (c == '*')
      name += change->captured[star++];
    else
      name += c;
  return name;
}

struct Open {
  std::string lock;
  std::size_t step;
};

// Of a column: closes what `lock` opened. Where that is not the innermost scope, brackets would lie.
void close(std::vector<Open>& open, const std::string& lock, std::vector<Told>& all, std::size_t k) {
  const auto found = std::find_if(open.rbegin(), open.rend(), [&](const Open& o) { return o.lock == lock; });
  if (found == open.rend()) return;
  if (found == open.rbegin())
    all[k].edge = Edge::closes;
  else
    all[found->step].edge = Edge::none;
  open.erase(std::next(found).base());
}

}  // namespace

std::vector<Told> tell(const Trace& trace, const Columns& columns, const Voice& voice) {
  std::vector<Told> all(trace.steps.size());
  std::map<unsigned, std::string> function;      // By column, where it is.
  std::map<unsigned, std::vector<Open>> scopes;  // By column, outermost first.
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Moment m(trace, k);
    const unsigned column = columns.of[k];
    const Phrase* phrase = phrase_of(m.action, voice);
    all[k].text = phrase == nullptr        ? by_fields(m)
                  : phrase->say != nullptr ? phrase->say(m)
                                           : std::string(phrase->text);
    if (all[k].text.empty()) continue;
    const std::string& path = m.action.step;
    const std::string in =
        path.find('/') == std::string::npos ? "" : titled(path.substr(0, path.find('/')), voice);
    if (in != function[column]) all[k].function = in;
    if (m.action.actor == columns.all[column].actor) function[column] = in;
    const std::string lock = phrase == nullptr ? "" : lock_of(m, phrase->scope);
    if (lock.empty()) continue;
    all[k].edge = phrase->scope.edge == Edge::opens ? Edge::opens : Edge::none;
    if (phrase->scope.edge == Edge::opens)
      scopes[column].push_back({lock, k});
    else
      close(scopes[column], lock, all, k);
  }
  std::map<unsigned, unsigned> depth;
  for (std::size_t k = 0; k < all.size(); ++k) {
    unsigned& mine = depth[columns.of[k]];
    mine -= unsigned{all[k].edge == Edge::closes};
    all[k].depth = mine;
    mine = all[k].depth_after();
  }
  return all;
}

std::string column_name(const Columns& columns, std::size_t c, const Voice& voice) {
  return "CPU" + std::to_string(c) + " " + title(columns.all[c], voice);
}

std::string cpu_name(const Columns& columns, u64 cpu) {
  for (std::size_t c = 0; c < columns.all.size(); ++c)
    if (columns.all[c].cpu == cpu) return "CPU" + std::to_string(c);
  return "user CPU " + std::to_string(cpu);
}

Account account_of(const Trace& t, const Columns& columns, const Voice& voice, const Heading& heading) {
  const TraceSubject& s = t.subject;
  Account a;
  a.title = s.claim + (s.arch.empty() ? "" : " on " + s.arch);
  if (!s.features.empty()) a.title += " (" + joined(s.features, " ") + ")";
  if (!s.instance.empty()) a.title += ": " + s.instance;
  if (!s.mutations.empty()) a.facts.push_back({"Mutation", joined(s.mutations, ", ")});
  // What nobody has fixed may be no bug: a mutant, or the kernel as it is.
  if (!heading.what.empty()) a.facts.push_back({heading.commit.empty() ? "Case" : "Bug", heading.what});
  if (!heading.commit.empty()) a.facts.push_back({"Fixed by", "kernel commit " + heading.commit});
  if (t.ending == Trace::Ending::deadlock)
    a.ending = "Deadlock: no step is enabled.";
  else
    a.ending = (t.ending == Trace::Ending::violated ? "Violated: always " : "Reached: sometimes ") +
               t.sentence + " (" + t.predicate + ").";
  if (voice.culprit != nullptr) a.culprit = voice.culprit(t, [&](u64 c) { return cpu_name(columns, c); });
  return a;
}

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
  return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace ptmc
