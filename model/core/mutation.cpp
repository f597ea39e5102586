#include "model/core/mutation.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptmc {
namespace {

constexpr std::array<const char*, 9> op_names{"drop",  "guard-true", "guard-false", "move", "insert",
                                              "split", "operand",    "stale",       "knob"};
constexpr std::array<const char*, 8> operand_names{"as-written", "leaf-only",   "walk-only",   "other-page",
                                                   "no-page",    "short-range", "wrong-level", "local-only"};

[[noreturn]] void unknown(const std::string& what, const std::string& name, std::vector<std::string> all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return distance(a, name) < distance(b, name); });
  std::string text = "no " + what + " '" + name + "'; nearest:";
  for (std::size_t k = 0; k < all.size() && k < 4; ++k) text += " " + all[k];
  throw std::invalid_argument(text);
}

bool called(const Actor& a, const Mutation& m) {
  return m.caller.empty() || m.caller == a.name || m.caller == a.label();
}

// A path names a step by its whole path or by actor and step, leaving out blocks in between.
// A block's path names all steps in it.
bool names(const Instr& in, const std::string& path) {
  if (in.path == path || in.path.starts_with(path + "/")) return true;
  const auto slash = in.path.find('/');
  return slash != std::string::npos && path == in.path.substr(0, slash) + "/" + in.name;
}

Instr* find_text(Actor& a, const std::string& name) {
  for (Instr& in : a.code)
    if (in.op != Instr::Op::branch_unless && (in.name == name || in.path == name)) return &in;
  return nullptr;
}

void shift_targets(Actor& a, std::size_t at, int by) {
  for (Instr& in : a.code)
    if (in.op == Instr::Op::branch_unless && in.target > at)
      in.target = static_cast<unsigned>(static_cast<int>(in.target) + by);
}

Instr take(Actor& a, std::size_t at) {
  Instr in = a.code[at];
  a.code.erase(a.code.begin() + static_cast<long>(at));
  shift_targets(a, at, -1);
  return in;
}
void put(Actor& a, std::size_t at, Instr in) {
  shift_targets(a, at, +1);
  a.code.insert(a.code.begin() + static_cast<long>(at), std::move(in));
}

// A copy of the text `from` that runs in the place (loop index, block) of `here`.
Instr at_place_of(const Instr& from, const Instr& here) {
  Instr in = from;
  in.op = from.op == Instr::Op::compute ? Instr::Op::compute : Instr::Op::step;
  in.x = here.x;
  in.block = here.block;
  return in;
}

struct Editor {
  Actor& actor;
  const Mutation& m;
  const MutationScope& scope;
  Applied& result;

  void fail(const std::string& why) { result.exists = false, result.why = why; }

  // Returns how far to move on in the code.
  void edit(std::size_t& at) {
    Instr& in = actor.code[at];
    switch (m.op) {
      case Mutation::Op::drop:
        in.op = Instr::Op::dropped;
        break;
      case Mutation::Op::guard_true:
        if (!in.guarded) return fail("step " + in.name + " has no guard");
        in.guard = Instr::Guard::always;
        break;
      case Mutation::Op::guard_false:
        in.guard = Instr::Guard::never;
        break;
      case Mutation::Op::stale:
        in.x.stale = true;
        break;
      case Mutation::Op::operand:
        operand(in);
        break;
      case Mutation::Op::move:
        move(at);
        break;
      case Mutation::Op::insert:
        insert(at);
        break;
      case Mutation::Op::split:
        split(at);
        break;
      case Mutation::Op::knob:
        break;
    }
  }
  void operand(Instr& in) {
    const auto* found = std::find(operand_names.begin(), operand_names.end(), m.arg);
    if (found == operand_names.end()) unknown("operand", m.arg, {operand_names.begin(), operand_names.end()});
    const auto changed = static_cast<Operand>(found - operand_names.begin());
    if (scope.operand_absent != nullptr)
      if (const char* why = scope.operand_absent(changed)) return fail(why);
    in.x.operand = changed;
  }
  void move(std::size_t& at) {
    const Instr in = actor.code[at];
    for (std::size_t to = 0; to < actor.code.size(); ++to) {
      const Instr& other = actor.code[to];
      if (other.name != m.arg || other.x.i != in.x.i || !other.counts()) continue;
      if (other.block != in.block) return fail("step " + m.arg + " is in another block");
      const Instr taken = take(actor, at);
      put(actor, to > at ? to : to + 1, taken);
      if (to > at) --at;
      return;
    }
    fail("no step " + m.arg + " beside it");
  }
  void insert(std::size_t& at) {
    const Instr* text = find_text(actor, m.arg);
    if (text == nullptr) return fail("actor " + actor.name + " has no step or spare " + m.arg);
    put(actor, at + 1, at_place_of(*text, actor.code[at]));
    ++at;
  }
  void split(std::size_t& at) {
    const std::string name = actor.code[at].name;
    const Instr *load = find_text(actor, name + ".load"), *store = find_text(actor, name + ".store");
    if (load == nullptr || store == nullptr) return fail("step " + name + " has no two halves");
    const Instr first = at_place_of(*load, actor.code[at]), second = at_place_of(*store, actor.code[at]);
    actor.code[at].op = Instr::Op::dropped;
    put(actor, at + 1, first);
    put(actor, at + 2, second);
    at += 2;
  }
};

bool turn_knob(Program& program, const Mutation& m, const MutationScope& scope, Applied& result) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < scope.knobs.size(); ++k) {
    all.emplace_back(scope.knobs[k].name);
    if (m.path != scope.knobs[k].name) continue;
    std::vector<std::string> values;
    for (std::size_t v = 0; v < scope.knobs[k].values.size() && scope.knobs[k].values[v] != nullptr; ++v) {
      values.emplace_back(scope.knobs[k].values[v]);
      if (m.arg != values.back()) continue;
      if (v != 0 && scope.knobs[k].absent != nullptr) {
        result.exists = false;
        result.why = scope.knobs[k].absent;
      }
      bool hit = m.caller.empty() || m.caller == "hw";
      if (hit) program.environment.knob[k] = static_cast<u8>(v);
      for (Actor& a : program.actors)
        if (called(a, m)) a.config.knob[k] = static_cast<u8>(v), hit = true;
      return hit;
    }
    unknown("value of knob " + m.path, m.arg, values);
  }
  unknown("knob", m.path, all);
}

}  // namespace

unsigned distance(const std::string& a, const std::string& b) {
  std::vector<unsigned> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

Mutation parse_mutation(const std::string& text) {
  Mutation m;
  m.text = text;
  const auto colon = text.find(':');
  const std::string op = text.substr(0, colon);
  const auto* found = std::find(op_names.begin(), op_names.end(), op);
  if (colon == std::string::npos || found == op_names.end())
    unknown("operator in OP:PATH[=ARG][@CALLER]", op, {op_names.begin(), op_names.end()});
  m.op = static_cast<Mutation::Op>(found - op_names.begin());
  std::string rest = text.substr(colon + 1);
  if (const auto at = rest.rfind('@'); at != std::string::npos)
    m.caller = rest.substr(at + 1), rest.resize(at);
  if (const auto eq = rest.find('='); eq != std::string::npos) m.arg = rest.substr(eq + 1), rest.resize(eq);
  m.path = rest;
  const bool wants_arg = m.op == Mutation::Op::move || m.op == Mutation::Op::insert ||
                         m.op == Mutation::Op::operand || m.op == Mutation::Op::knob;
  if (m.path.empty() || wants_arg == m.arg.empty())
    throw std::invalid_argument("mutation '" + text + "': " + op +
                                (wants_arg ? " needs PATH=ARG" : " takes a PATH only"));
  return m;
}

std::vector<std::string> mutation_paths(const Program& program, const MutationScope& scope) {
  std::vector<std::string> paths;
  for (const Actor& a : program.actors)
    for (const Instr& in : a.code)
      if (in.counts() && std::find(paths.begin(), paths.end(), in.path) == paths.end())
        paths.push_back(in.path);
  for (const std::string& rule : scope.rules) paths.push_back("hw/" + rule);
  return paths;
}

Applied apply(Program& program, const Mutation& m, const MutationScope& scope) {
  Applied result;
  if (m.op == Mutation::Op::knob) {
    if (!turn_knob(program, m, scope, result)) unknown("actor", m.caller, mutation_paths(program, scope));
    return result;
  }
  bool hit = false;
  for (Actor& a : program.actors) {
    if (!called(a, m)) continue;
    Editor editor{a, m, scope, result};
    for (std::size_t at = 0; at < a.code.size() && result.exists; ++at)
      if (a.code[at].counts() && names(a.code[at], m.path)) hit = true, editor.edit(at);
  }
  for (const std::string& rule : scope.rules) {
    if ("hw/" + rule != m.path) continue;
    hit = true;
    if (m.op == Mutation::Op::drop || m.op == Mutation::Op::guard_false)
      result.rules.push_back({rule, Instr::Guard::never, true});
    else if (m.op == Mutation::Op::guard_true)
      result.rules.push_back({rule, Instr::Guard::always, false});
    else
      result.exists = false, result.why = "a rule of the hardware has no neighbours and no operand";
  }
  if (!hit) unknown("step", m.path, mutation_paths(program, scope));
  return result;
}

}  // namespace ptmc
