// The ptmc command over a catalogue of toys: each claim ends in one way that the command must handle.
#include <chrono>
#include <thread>

#include "checker/cli/commands.hpp"

namespace {

using namespace ptmc;

/// Counts from 0 to `last`; a state is the count. Nothing else, so that states, edges and traces are known by
/// hand.
class Counter : public System {
 public:
  explicit Counter(u64 last, u64 bad) : last_(last), bad_(bad) {
    shape_.live = {~u64{0}}, shape_.fan_out_max = 1;
  }
  const Shape& shape() const override { return shape_; }
  const std::vector<Action>& actions() const override { return actions_; }
  const std::vector<Predicate>& predicates() const override { return predicates_; }
  void initial(std::vector<u64>& states) const override { states.push_back(0); }
  u32 successors(const u64* state, const Batch& out) const override {
    if (*state == last_) return 0;
    out.words[0] = *state + 1, out.action[0] = 0;
    return 1;
  }
  u64 check(const u64* state) const override { return (*state == bad_ ? 1u : 0u) | (*state == 2 ? 2u : 0u); }
  std::vector<Field> describe(const u64* state) const override { return {{"count", *state, 64}}; }

 private:
  u64 last_, bad_;
  Shape shape_;
  std::vector<Action> actions_{{"counter", "step", ""}};
  std::vector<Predicate> predicates_{{"small", "the count stays small", Predicate::Kind::always},
                                     {"two", "the count is two", Predicate::Kind::sometimes}};
};

/// The same, on decoded states.
class CountingStepper : public Stepper {
 public:
  CountingStepper(u64 last, u64 bad) : last_(last), bad_(bad) {}
  std::vector<DecodedState> initial() const override { return {state(0)}; }
  std::vector<Action> enabled(const DecodedState& s) const override {
    if (s.at(0).value == last_) return {};
    return {{"counter", "step", ""}};
  }
  std::optional<DecodedState> apply(const DecodedState& s, const Action& a) const override {
    if (a.step != "step" || s.at(0).value == last_) return std::nullopt;
    return state(s.at(0).value + 1);
  }
  std::optional<bool> holds(const DecodedState& s, const std::string& predicate) const override {
    if (predicate == "small") return s.at(0).value != bad_;
    if (predicate == "two") return s.at(0).value == 2;
    return std::nullopt;
  }

 private:
  static DecodedState state(u64 count) { return {{"count", count, 64}}; }
  u64 last_, bad_;
};

Claim claim(const std::string& name, const std::string& arch, Verdict expected) {
  Claim c;
  c.name = name, c.arch = arch, c.expected = expected;
  c.sentence =
      "a sentence of " + name + " that is long enough to be wrapped on a line of seventy-two columns";
  c.property = "small";
  return c;
}

Result result_of(const Claim& c, Verdict verdict) {
  Result r;
  r.claim = c.name, r.instance = c.instance, r.arch = c.arch, r.property = c.property;
  r.expected = c.expected, r.verdict = verdict, r.bound = "1 counter";
  return r;
}

Claim words(const std::string& name, Verdict expected, Verdict found, const std::string& reason = "") {
  Claim c = claim(name, "any", expected);
  c.run = [c, found, reason](const RunOptions& o) {
    if (!o.mutations.empty()) throw std::invalid_argument("words have no steps");
    Result r = result_of(c, found);
    r.reason = reason;
    r.assumptions = {"no wrap"};
    return std::vector{r};
  };
  return c;
}

// The only mutation that means something: drop:counter/step, and there is then nothing left to violate.
u64 last_with(const RunOptions& options, u64 last) {
  for (const Mutation& m : options.mutations) {
    if (m.path != "counter/step") throw std::invalid_argument("no step '" + m.path + "'");
    if (m.op == Mutation::Op::drop) last = 0;
  }
  return last;
}

Claim counter(const std::string& name, const std::string& arch, Verdict expected, u64 last, u64 bad) {
  Claim c = claim(name, arch, expected);
  c.instance = "counter-" + std::to_string(last);
  c.paths = [] { return std::vector<std::string>{"counter/step"}; };
  c.system = [last, bad](const RunOptions& o) { return std::make_shared<Counter>(last_with(o, last), bad); };
  c.stepper = [last, bad](const RunOptions& o) {
    return std::make_shared<CountingStepper>(last_with(o, last), bad);
  };
  c.run = [c](const RunOptions& o) {
    const Exploration e = explore(*c.system(o), o.explore, o.observer);
    Result r = result_of(c, Verdict::bounded);
    r.states = e.states, r.edges = e.edges;
    if (!e.violations.empty()) {
      Trace t = e.violations[0].trace;
      t.subject = {c.name, c.instance, c.arch, {}, {}};
      for (const Mutation& m : o.mutations) t.subject.mutations.push_back(m.text);
      r.verdict = Verdict::violated, r.trace = std::make_shared<Trace>(t);
    } else if (!e.complete) {
      r.verdict = Verdict::unknown,
      r.reason = "a limit was reached after " + std::to_string(e.states) + " states";
    }
    return std::vector{r};
  };
  return c;
}

Claim waiting(const std::string& name, bool listens) {
  Claim c = claim(name, "any", Verdict::proved);
  c.run = [c, listens](const RunOptions& o) {
    for (int k = 0; k < 3000 && !(listens && *o.explore.cancel); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return std::vector{result_of(c, Verdict::proved)};
  };
  return c;
}

std::vector<Claim> toys() {
  std::vector<Claim> all;
  all.push_back(words("good/words", Verdict::proved, Verdict::proved));
  all.push_back(counter("good/counts", "x86_64", Verdict::bounded, 9, 100));
  all.push_back(counter("good/counts", "arm64", Verdict::bounded, 19, 100));
  all.push_back(counter("good/breaks", "arm64", Verdict::violated, 9, 4));
  all.push_back(words("good/stronger", Verdict::bounded, Verdict::proved));
  all.push_back(counter("bad/breaks", "x86_64", Verdict::proved, 9, 4));
  all.push_back(counter("bad/never-breaks", "x86_64", Verdict::violated, 9, 100));
  all.push_back(words("weak/bounded", Verdict::proved, Verdict::bounded));
  all.push_back(words("weak/unknown", Verdict::proved, Verdict::unknown, "the solver gave up"));
  all.push_back(words("weak/absent", Verdict::proved, Verdict::n_a, "no such step"));
  all.push_back(counter("huge/counts", "x86_64", Verdict::bounded, ~u64{0} - 2, ~u64{0} - 1));
  all.push_back(waiting("slow/listens", true));
  all.push_back(waiting("slow/deaf", false));
  all.push_back(words("broken/violated-without-evidence", Verdict::violated, Verdict::violated));
  all.push_back(words("broken/unknown-without-reason", Verdict::unknown, Verdict::unknown));
  Claim empty = claim("broken/empty", "any", Verdict::proved);
  empty.run = [](const RunOptions&) { return std::vector<Result>(); };
  all.push_back(empty);
  Claim throws = claim("broken/throws", "any", Verdict::proved);
  throws.run = [](const RunOptions&) -> std::vector<Result> { throw std::runtime_error("a bug of ours"); };
  all.push_back(throws);
  for (Claim& c : all)
    c.full_only = !c.name.starts_with("good") && !c.name.starts_with("bad") && !c.name.starts_with("weak");
  return all;
}

Exit no_kernel(const cli::Options&, cli::Output&) { throw InputError("toys know no kernel"); }

}  // namespace

int main(int argc, char** argv) { return ptmc::cli::run(argc, argv, {toys, no_kernel, no_kernel}); }
