// The modelling language: an actor is a sequence of named steps and reads like the kernel function it models.
//
// Guards, effects and conditions are captureless generic lambdas over the domain. They take, in this order
// and as far as they need them, the state, the actor's own registers and the context:
//   guard      (const auto& s [, const auto& r] [, Ctx x])     missing guard: always enabled
//   effect     (auto& s [, auto& r] [, Ctx x])                 at most one shared access
//   compute    (auto& r [, Ctx x])                             registers only: private by its type, may be
//   fused condition  (const auto& r [, Ctx x])                       of if_: registers only ruleset    (auto&
//   s [, u64 a [, u64 b]] [, Ctx x])         one instance per index pair
#pragma once
#include <boost/hana/basic_tuple.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/unpack.hpp>
#include <type_traits>

#include "model/core/context.hpp"

namespace ptmc {

namespace hana = boost::hana;

inline constexpr auto always_on = [](const auto&) { return true; };

enum class StepKind : u8 {
  step,     // One atomic transition.
  compute,  // Touches registers only.
  spare,    // Not executed: text for `insert`, `split` and for spares that a knob or a bug names.
};

template <StepKind k, class G, class E>
struct Step {
  static constexpr StepKind kind = k;
  using Guard = G;
  using Effect = E;
  const char* name;
  u64 choices;  // The step is offered once per k < choices.
};
using AlwaysOn = std::remove_cv_t<decltype(always_on)>;
template <class G, class E>
constexpr auto step(const char* name, G, E) {
  return Step<StepKind::step, G, E>{name, 1};
}
template <class E>
constexpr auto step(const char* name, E effect) {
  return step(name, always_on, effect);
}
template <u64 choices, class G, class E>
constexpr auto choose(const char* name, G, E) {
  return Step<StepKind::step, G, E>{name, choices};
}
template <class E>
constexpr auto compute(const char* name, E) {
  return Step<StepKind::compute, AlwaysOn, E>{name, 1};
}
template <class G, class E>
constexpr auto spare(const char* name, G, E) {
  return Step<StepKind::spare, G, E>{name, 1};
}
template <class E>
constexpr auto spare(const char* name, E effect) {
  return spare(name, always_on, effect);
}

template <class... B>
struct Block {
  const char* name;  // A path component, e.g. the kernel function; empty: none.
  hana::basic_tuple<B...> body;
};
template <class... B>
constexpr auto block(const char* name, B... body) {
  return Block<B...>{name, hana::basic_tuple<B...>{body...}};
}

template <class C, class... B>
struct If {
  using Condition = C;
  hana::basic_tuple<B...> body;
};
template <class C, class... B>
constexpr auto if_(C, B... body) {
  return If<C, B...>{hana::basic_tuple<B...>{body...}};
}

template <By by, class... B>
struct Loop {
  static constexpr By index = by;
  hana::basic_tuple<B...> body;
};
/// The body once per index of the kind, x.i counting; unrolled in data.
template <By by, class... B>
constexpr auto loop(B... body) {
  return Loop<by, B...>{hana::basic_tuple<B...>{body...}};
}

/// loop<by>(if_(condition, body...)) whose condition fails for every index before first(r), and once it has
/// failed after that, for all that follow: a machine that runs natively begins and ends there.
template <By by, class First, class C, class... B>
struct LoopWhile : Loop<by, If<C, B...>> {
  using From = First;
};
template <By by, class First, class C, class... B>
constexpr auto loop_while(First, C condition, B... body) {
  return LoopWhile<by, First, C, B...>{{hana::basic_tuple<If<C, B...>>{if_(condition, body...)}}};
}

/// An actor, of which an instance may have up to `copies`. `R` maps (state, self) to its registers and
/// returns decltype(auto). After its last step the actor starts again.
template <u64 copies, class R, class... B>
struct Sequence {
  static constexpr u64 copies_max = copies;
  using Registers = R;
  const char* name;
  hana::basic_tuple<B...> body;
};
template <u64 copies = 1, class R, class... B>
constexpr auto sequence(const char* name, R, B... body) {
  return Sequence<copies, R, B...>{name, hana::basic_tuple<B...>{body...}};
}

/// A rule of the environment: enabled whenever its guard holds, for each index pair.
template <By a, By b, class G, class E>
struct Ruleset {
  static constexpr By first = a, second = b;
  using Guard = G;
  using Effect = E;
  const char* name;
};
template <By a = By::none, By b = By::none, class G, class E>
constexpr auto ruleset(const char* name, G, E) {
  return Ruleset<a, b, G, E>{name};
}

template <class P>
struct Always {
  using Claim = P;
  const char *name, *sentence;
};
/// `sentence` finishes "always ...". The claim may read observers only: no position, no mechanism.
template <class P>
constexpr auto always(const char* name, const char* sentence, P) {
  return Always<P>{name, sentence};
}

template <class P>
struct Sometimes {
  using Claim = P;
  static constexpr bool is_cover = true;
  const char *name, *sentence;
};
/// A cover: some reachable state must satisfy it. Claim (s) or (s, w): it may speak of positions.
template <class P>
constexpr auto sometimes(const char* name, const char* sentence, P) {
  return Sometimes<P>{name, sentence};
}

template <class P>
struct Lemma {
  using Claim = P;
  const char* name;
};
/// A conjunct of an inductive invariant. Claim (s, w): w.in(actor, "a", "b" [, i [, self]]) is "a done, b
/// not".
template <class P>
constexpr auto lemma(const char* name, P) {
  return Lemma<P>{name};
}

/// A named variation point; value 0 is what the kernel does.
struct Knob {
  const char* name;
  std::array<const char*, 6> values;  // Unused entries are null.
  const char* absent = nullptr;       // Why the other values do not exist on this architecture (verdict n/a).
};

// ---- calls with as many arguments as the lambda takes (decided once, here: design.md pitfall 5) ----
template <class F, class S, class R>
constexpr decltype(auto) call_step(S& s, R& registers, const Ctx& x) {
  if constexpr (std::is_invocable_v<F, S&, R&, const Ctx&>)
    return F{}(s, registers, x);
  else if constexpr (std::is_invocable_v<F, S&, R&>)
    return F{}(s, registers);
  else if constexpr (std::is_invocable_v<F, S&, const Ctx&>)
    return F{}(s, x);
  else
    return F{}(s);
}
template <class F, class R>
constexpr decltype(auto) call_private(R& registers, const Ctx& x) {
  if constexpr (std::is_invocable_v<F, R&, const Ctx&>)
    return F{}(registers, x);
  else
    return F{}(registers);
}
template <class F, class S>
constexpr decltype(auto) call_rule(S& s, u64 a, u64 b, const Ctx& x) {
  if constexpr (std::is_invocable_v<F, S&, u64, u64, const Ctx&>)
    return F{}(s, a, b, x);
  else if constexpr (std::is_invocable_v<F, S&, u64, u64>)
    return F{}(s, a, b);
  else if constexpr (std::is_invocable_v<F, S&, u64, const Ctx&>)
    return F{}(s, a, x);
  else if constexpr (std::is_invocable_v<F, S&, u64>)
    return F{}(s, a);
  else if constexpr (std::is_invocable_v<F, S&, const Ctx&>)
    return F{}(s, x);
  else
    return F{}(s);
}
template <class F, class S, class W>
constexpr decltype(auto) call_claim(const S& s, const W& where) {
  if constexpr (std::is_invocable_v<F, const S&, const W&>)
    return F{}(s, where);
  else
    return F{}(s);
}

}  // namespace ptmc
