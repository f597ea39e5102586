#include "counterexamples/candidates.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>

#include "checker/lower/setup.hpp"

namespace ptmc {
namespace {

bool runs(const Instr& in) { return in.counts() || in.op == Instr::Op::branch_unless; }

std::size_t index_of(const Actor& actor, u64 counter) {
  for (std::size_t k = 0; k < actor.code.size(); ++k)
    if (actor.code[k].counts() && counter-- == 0) return k;
  throw std::invalid_argument(actor.label() + ".pc is no step of the program");
}

std::optional<u64> counter_of(const DecodedState& s, const Actor& actor) {
  for (const Field& f : s)
    if (f.name == actor.label() + ".pc") return f.value;
  return std::nullopt;
}

/// Which steps of an actor's text a trace executes, and which places it passes between two of them; place k
/// is the one in front of code[k].
class Path {
 public:
  Path(const std::vector<Instr>& code) : code_(code), executed_(code.size()), passed_(code.size() + 1) {}

  void add(const Trace& t, const Actor& actor) {
    std::vector<std::size_t> mine;
    for (std::size_t k = 0; k < t.steps.size(); ++k)
      if (t.steps[k].action.actor == actor.label()) mine.push_back(k);
    for (std::size_t n = 0; n < mine.size(); ++n) {
      const auto from = counter_of(t.states[mine[n]], actor), to = counter_of(t.states[mine[n] + 1], actor);
      if (!from || !to) throw std::invalid_argument("the states of the trace do not say where actors are");
      executed_[index_of(actor, *from)] = true;
      if (n + 1 < mine.size()) pass(index_of(actor, *from), index_of(actor, *to));
    }
  }
  bool executes(std::size_t at) const { return executed_[at]; }
  bool passes(std::size_t place) const { return passed_[place]; }

 private:
  void pass(std::size_t from, std::size_t to) {
    if (from < to) return pass_range(from, from + 1, to);
    pass_range(from, from + 1, code_.size());
    pass_range(0, 0, to);
  }
  // From code[from] or the start to code[to], where nothing between that stops was executed.
  void pass_range(std::size_t from, std::size_t first, std::size_t to) {
    for (std::size_t place = first; place <= to; ++place) {
      bool jumped = false;
      for (std::size_t b = from; b < place; ++b)
        jumped = jumped || (code_[b].op == Instr::Op::branch_unless && code_[b].target > place &&
                            code_[b].target <= to && stops_within(b, code_[b].target));
      passed_[place] = passed_[place] || !jumped;
    }
  }
  bool stops_within(std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k)
      if (code_[k].op == Instr::Op::step) return true;
    return false;
  }

  const std::vector<Instr>& code_;
  std::vector<bool> executed_, passed_;
};

// ---- names ----
bool has_path(const Actor& a, const std::string& path) {
  return std::any_of(a.code.begin(), a.code.end(),
                     [&](const Instr& in) { return in.path == path || in.path.starts_with(path + "/"); });
}
/// "reclaim/unlock" where that says which, else the whole path.
std::string path_name(const Actor& a, const Instr& step) {
  const std::string brief = a.name + "/" + step.name;
  const bool only = std::all_of(a.code.begin(), a.code.end(), [&](const Instr& in) {
    return !in.counts() || in.name != step.name || in.path == step.path;
  });
  return only && (brief == step.path || !has_path(a, brief)) ? brief : step.path;
}
/// The text that `insert` finds under a name is the first.
std::string text_name(const Actor& a, const Instr& text) {
  for (const Instr& in : a.code)
    if (in.op != Instr::Op::branch_unless && (in.name == text.name || in.path == text.name))
      return in.text == text.text ? text.name : text.path;
  return text.path;
}

class Enumeration {
 public:
  Enumeration(const Trace& trace, const ProgramOf& program_of)
      : trace_(trace), program_of_(program_of), program_(program_of({})), known_{code_of(program_)} {}

  std::vector<Candidate> all() {
    for (std::size_t a = 0; a < program_.actors.size(); ++a) {
      const Actor& actor = program_.actors[a];
      if (actor.self != 0) continue;  // A mutation changes all copies.
      Path path(actor.code);
      for (const Actor& copy : program_.actors)
        if (copy.name == actor.name) path.add(trace_, copy);
      for (std::size_t at = 0; at < actor.code.size(); ++at) {
        if (!actor.code[at].counts()) continue;
        if (path.passes(at + 1)) inserts(a, at);
        moves(a, at, path);
      }
    }
    return std::move(found_);
  }

 private:
  void inserts(std::size_t a, std::size_t at) {
    const Actor& actor = program_.actors[a];
    std::set<std::pair<std::string, const void*>> texts;
    for (const Instr& text : actor.code)
      if (text.op != Instr::Op::branch_unless && texts.insert({text.name, text.text}).second)
        add(a, at, text, "insert:" + path_name(actor, actor.code[at]) + "=" + text_name(actor, text));
  }

  // The step at `to` comes after the one at `at`: sorted by where it comes to stand.
  void moves(std::size_t a, std::size_t at, const Path& path) {
    const Actor& actor = program_.actors[a];
    for (std::size_t from = 0; from < actor.code.size(); ++from) {
      const Instr &moved = actor.code[from], &target = actor.code[at];
      if (from == at || !moved.counts() || moved.block != target.block || moved.x.i != target.x.i) continue;
      if (path.executes(from) || path.passes(at + 1))
        add(a, at, moved, "move:" + path_name(actor, moved) + "=" + target.name);
    }
  }

  void add(std::size_t a, std::size_t at, const Instr& step, const std::string& text) {
    const Actor& actor = program_.actors[a];
    try {
      const Mutation m = parse_mutation(text);
      if (!known_.insert(code_of(program_of_({m}))).second) return;
      const bool behind_if = std::any_of(actor.code.begin(), actor.code.end(), [&](const Instr& in) {
        return in.op == Instr::Op::branch_unless && in.target == at + 1;
      });
      found_.push_back({m, actor.name, step.path, actor.code[at].path, behind_if, a, at});
    } catch (const NotApplicable&) {  // Another step of that name is found first, in another block.
    } catch (const std::invalid_argument&) {
    }
  }

  const Trace& trace_;
  const ProgramOf& program_of_;
  const Program program_;
  std::set<std::vector<u64>> known_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> candidates(const Trace& trace, const ProgramOf& program_of) {
  return Enumeration(trace, program_of).all();
}

std::vector<u64> code_of(const Program& program) {
  std::vector<u64> code;
  const auto knobs = [&](const Config& c) { code.insert(code.end(), c.knob.begin(), c.knob.end()); };
  knobs(program.environment);
  for (const Actor& a : program.actors) {
    knobs(a.config);
    for (const Instr& in : a.code) {
      if (!runs(in)) continue;
      const auto before = [&](std::size_t end) {
        return static_cast<u64>(
            std::count_if(a.code.begin(), a.code.begin() + static_cast<std::ptrdiff_t>(end), runs));
      };
      const bool branch = in.op == Instr::Op::branch_unless;
      // Not the kind: a compute step that was dropped comes back as a step, and does the same.
      const u64 text = branch ? in.fn : reinterpret_cast<std::uintptr_t>(in.text);
      for (const u64 part :
           {u64{branch}, static_cast<u64>(in.guard), text, in.choices, in.x.self, in.x.i,
            static_cast<u64>(in.x.operand), u64{in.x.stale}, branch ? before(in.target) : u64{0}})
        code.push_back(part);
    }
    code.push_back(~u64{0});
  }
  return code;
}

}  // namespace ptmc
