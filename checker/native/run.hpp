// Runs an actor of a machine straight through: one thread, real memory, no search. The compiler sees the
// whole sequence, so that a step costs what its text costs.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "model/core/language.hpp"

namespace ptmc::native {

/// A guard does not hold, and nobody else runs who could change that.
struct Stuck : std::runtime_error {
  explicit Stuck(const std::string& step) : std::runtime_error(step + " waits, and nobody else runs") {}
};

/// Who watches a run: the blocks it is in (model/core/language.hpp) and, after each step, the state and how
/// many choices the step had. This one does not, and costs nothing.
struct Unwatched {
  void enter(const char*) {}
  void leave() {}
  template <class S>
  void done(const char*, const S&, const Ctx&, u64) {}
};

/// A watcher's knowledge of where a run is.
class Blocks {
 public:
  void enter(const char* name) { names_.emplace_back(name); }
  void leave() { names_.pop_back(); }

 protected:
  /// "change_pte_range/ptep_get", as in Action::step.
  std::string path_of(const char* step) const {
    std::string path;
    for (const std::string& name : names_)
      if (!name.empty()) path += name + "/";
    return path + step;
  }

 private:
  std::vector<std::string> names_;
};

/// One round of an actor. `Registers` maps the state to the actor's own (language.hpp, Sequence).
template <class Registers, class S, class Watcher = Unwatched>
class Run {
 public:
  Run(S& state, const Config& config, u64 choice, Watcher& watcher)
      : state_(state), config_(config), choice_(choice), watcher_(watcher) {}

  template <class... B>
  [[gnu::always_inline]] inline void body(const hana::basic_tuple<B...>& parts, u64 i) {
    hana::unpack(
        parts, [&](const B&... part) __attribute__((always_inline)) { (one(part, i), ...); });
  }

 private:
  [[gnu::always_inline]] inline Ctx context(u64 i) const {
    Ctx x;
    x.i = i;
    x.config = &config_;
    return x;
  }

  template <StepKind kind, class G, class E>
  [[gnu::always_inline]] inline void one(const Step<kind, G, E>& step, u64 i) {
    if constexpr (kind != StepKind::spare) {
      Ctx x = context(i);
      auto&& r = Registers{}(state_, 0);
      if constexpr (kind == StepKind::compute) {
        call_private<E>(r, x);
      } else {
        if (!choose<G>(r, x, step.choices)) stuck(step.name);
        call_step<E>(state_, r, x);
      }
      watcher_.done(step.name, state_, x, step.choices);
    }
  }
  template <class... B>
  [[gnu::always_inline]] inline void one(const Block<B...>& block, u64 i) {
    watcher_.enter(block.name);
    body(block.body, i);
    watcher_.leave();
  }
  template <class C, class... B>
  [[gnu::always_inline]] inline void one(const If<C, B...>& branch, u64 i) {
    if (holds<C>(i)) body(branch.body, i);
  }
  template <By by, class... B>
  [[gnu::always_inline]] inline void one(const ptmc::Loop<by, B...>& loop, u64) {
    for (u64 k = 0; k < config_.count(by); ++k) body(loop.body, k);
  }
  template <By by, class First, class C, class... B>
  [[gnu::always_inline]] inline void one(const LoopWhile<by, First, C, B...>& loop, u64) {
    const auto& inside = hana::at_c<0>(loop.body).body;
    for (u64 k = call_private<First>(Registers{}(state_, 0), context(0));
         k < config_.count(by) && holds<C>(k); ++k)
      body(inside, k);
  }
  template <class C>
  [[gnu::always_inline]] inline bool holds(u64 i) const {
    const auto& r = Registers{}(state_, 0);
    return call_private<C>(r, context(i));
  }
  /// The first choice from `choice_` on whose guard holds.
  template <class G, class R>
  [[gnu::always_inline]] inline bool choose(R& r, Ctx& x, u64 choices) const {
    x.k = choice_ % choices;
    if constexpr (std::is_same_v<G, AlwaysOn>) return true;
    for (u64 tried = 0; tried < choices; ++tried, x.k = (x.k + 1) % choices)
      if (call_step<G>(std::as_const(state_), r, x)) return true;
    return false;
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void stuck(const char* step) { throw Stuck(step); }

  S& state_;
  const Config& config_;
  u64 choice_;
  Watcher& watcher_;
};

/// One round of `actor`; a step that offers n choices makes choice `choice` mod n, or the next whose
/// guard holds. Throws Stuck.
template <u64 copies, class R, class... B, class S, class Watcher>
[[gnu::always_inline]] inline void run(const Sequence<copies, R, B...>& actor, S& state, const Config& config,
                                       u64 choice, Watcher& watcher) {
  Run<R, S, Watcher>(state, config, choice, watcher).body(actor.body, 0);
}
template <u64 copies, class R, class... B, class S>
[[gnu::always_inline]] inline void run(const Sequence<copies, R, B...>& actor, S& state, const Config& config,
                                       u64 choice) {
  Unwatched nobody;
  run(actor, state, config, choice, nobody);
}

}  // namespace ptmc::native
