// The symbolic domain: words are Z3 bit-vectors of their field's width. Models see only these types, never
// z3.
//
// `+ - * << ~` compute in 64 bits, as the other domains do; other operators widen to the larger side (zero
// extension), assignment to a field narrows, literals take the other side's width. `<`, `<=` and `>>` are
// unsigned, as on u64. All terms of one query live in one context.
#pragma once
#include <z3++.h>

#include <array>
#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::sym {

template <class T>
concept Literal = (std::integral<T> && !std::same_as<T, bool>) || std::is_enum_v<T>;

/// A truth value. Also the type of a Flag field.
struct Bool {
  static constexpr unsigned width = 1;
  z3::expr e;
  Bool(z3::expr term) : e(std::move(term)) {}
  Bool(const Bool&) = default;
  Bool& operator=(const Bool&) = default;
  Bool& operator=(bool b) {
    e = e.ctx().bool_val(b);
    return *this;
  }
};

/// A value: a bit-vector term of any width.
struct Word {
  z3::expr e;
  Word(z3::expr term) : e(std::move(term)) {}
  /// `v` at this word's width, or wider if it needs more bits.
  Word literal(u64 v) const;
};

/// A field of N bits. Assigning a wider term keeps the low N bits; `lost` collects what must be proved zero.
z3::expr fit(const z3::expr& term, unsigned width);
template <unsigned N>
struct Bits : Word {
  static constexpr unsigned width = N;
  explicit Bits(z3::expr term) : Word(std::move(term)) {}
  Bits(const Bits&) = default;
  Bits& operator=(const Bits&) = default;
  Bits& operator=(const Word& w) {
    narrow(w.e);
    return *this;
  }
  template <unsigned M>
  Bits& operator=(const Bits<M>& w) {
    narrow(w.e);
    return *this;
  }
  template <Literal T>
  Bits& operator=(T v) {
    narrow(e.ctx().bv_val(static_cast<std::uint64_t>(v), 64));
    return *this;
  }

 private:
  void narrow(const z3::expr& term);
};

/// What must be shown of a step besides its effect on claims.
struct Obligation {
  std::string what;  // What happens otherwise: "a value does not fit 3 bits".
  z3::expr term;
};

/// While one exists on this thread, each narrowing assignment adds "the dropped bits are zero" to it, and
/// each access by a term that its index is in range.
class NarrowingLog {
 public:
  NarrowingLog();
  ~NarrowingLog();
  NarrowingLog(const NarrowingLog&) = delete;
  NarrowingLog& operator=(const NarrowingLog&) = delete;
  const std::vector<Obligation>& obligations() const { return obligations_; }
  void add(const std::string& what, const z3::expr& condition);

 private:
  std::vector<Obligation> obligations_;
  NarrowingLog* outer_;
};
/// All at once.
z3::expr conjunction(const std::vector<Obligation>& obligations, z3::context& context);
void log_narrowing(const z3::expr& term, unsigned width);
/// Adds a condition to the innermost log of this thread, if there is one.
void require(const std::string& what, const z3::expr& condition);
template <unsigned N>
void Bits<N>::narrow(const z3::expr& term) {
  log_narrowing(term, N);
  e = fit(term, N);
}

Bool operator!(const Bool&);
Bool operator&&(const Bool&, const Bool&);
Bool operator&&(bool, const Bool&);
Bool operator&&(const Bool&, bool);
Bool operator||(const Bool&, const Bool&);
Bool operator||(bool, const Bool&);
Bool operator||(const Bool&, bool);
Bool operator==(const Bool&, const Bool&);
Bool operator==(const Bool&, bool);
Bool operator!=(const Bool&, const Bool&);
Bool implies(const Bool&, const Bool&);
Bool implies(bool, const Bool&);
Bool implies(const Bool&, bool);

Word operator~(const Word&);
/// Zero-extended to 64 bits: needed before a shift left.
Word wide(const Word&);
Word ite(const Bool&, const Word&, const Word&);
inline Word ite(bool c, const Word& a, const Word& b) { return c ? a : b; }
Word ite_literals(const Bool&, u64, u64);
template <Literal T>
Word ite(const Bool& c, const Word& a, T b) {
  return ite(c, a, a.literal(static_cast<u64>(b)));
}
template <Literal T>
Word ite(const Bool& c, T a, const Word& b) {
  return ite(c, b.literal(static_cast<u64>(a)), b);
}
template <Literal A, Literal B>
Word ite(const Bool& c, A a, B b) {
  return ite_literals(c, static_cast<u64>(a), static_cast<u64>(b));
}
Bool ite(const Bool&, const Bool&, const Bool&);
Bool ite(const Bool&, bool, const Bool&);
Bool ite(const Bool&, const Bool&, bool);

// One operator text for word-word, word-literal and literal-word.
#define PTMC_SYM_OPERATOR(op, R)                \
  R operator op(const Word&, const Word&);      \
  template <Literal T>                          \
  R operator op(const Word& a, T b) {           \
    return a op a.literal(static_cast<u64>(b)); \
  }                                             \
  template <Literal T>                          \
  R operator op(T a, const Word& b) {           \
    return b.literal(static_cast<u64>(a)) op b; \
  }
PTMC_SYM_OPERATOR(&, Word)
PTMC_SYM_OPERATOR(|, Word)
PTMC_SYM_OPERATOR(^, Word)
PTMC_SYM_OPERATOR(+, Word)
PTMC_SYM_OPERATOR(-, Word)
PTMC_SYM_OPERATOR(*, Word)
PTMC_SYM_OPERATOR(<<, Word)
PTMC_SYM_OPERATOR(>>, Word)
PTMC_SYM_OPERATOR(==, Bool)
PTMC_SYM_OPERATOR(!=, Bool)
PTMC_SYM_OPERATOR(<, Bool)
PTMC_SYM_OPERATOR(<=, Bool)
#undef PTMC_SYM_OPERATOR

}  // namespace ptmc::sym

namespace ptmc {
// Model text calls the domain functions by these names; u64 versions are in model/core/domain.hpp.
using sym::implies;
using sym::ite;
using sym::wide;
}  // namespace ptmc
