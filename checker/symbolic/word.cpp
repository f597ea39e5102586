#include "checker/symbolic/word.hpp"

#include <algorithm>

namespace ptmc::sym {
namespace {

unsigned width_of(const z3::expr& term) { return term.get_sort().bv_size(); }

// Both terms in 64 bits: where a narrower result would wrap and u64 does not.
struct Full {
  z3::expr a, b;
  Full(const Word& x, const Word& y) : a(fit(x.e, 64)), b(fit(y.e, 64)) {}
};

// Both terms at the larger width.
struct Widened {
  z3::expr a, b;
  Widened(const Word& x, const Word& y)
      : a(fit(x.e, std::max(width_of(x.e), width_of(y.e)))),
        b(fit(y.e, std::max(width_of(x.e), width_of(y.e)))) {}
};

thread_local NarrowingLog* narrowing_log = nullptr;

}  // namespace

z3::expr fit(const z3::expr& term, unsigned width) {
  const unsigned now = width_of(term);
  if (now == width) return term;
  if (term.is_numeral() && now <= 64 && width <= 64) {
    const u64 mask = width == 64 ? ~u64{0} : bit(width) - 1;
    return term.ctx().bv_val(static_cast<std::uint64_t>(term.get_numeral_uint64() & mask), width);
  }
  return now < width ? z3::zext(term, width - now) : term.extract(width - 1, 0);
}

NarrowingLog::NarrowingLog() : outer_(narrowing_log) { narrowing_log = this; }
NarrowingLog::~NarrowingLog() { narrowing_log = outer_; }

z3::expr conjunction(const std::vector<Obligation>& obligations, z3::context& context) {
  z3::expr_vector all(context);
  for (const Obligation& o : obligations) all.push_back(o.term);
  return all.empty() ? context.bool_val(true) : all.size() == 1 ? all[0] : z3::mk_and(all);
}
void NarrowingLog::add(const std::string& what, const z3::expr& condition) {
  if (condition.is_true()) return;
  for (Obligation& o : obligations_)
    if (o.what == what) {
      o.term = o.term && condition;
      return;
    }
  obligations_.push_back({what, condition});
}

void log_narrowing(const z3::expr& term, unsigned width) {
  const unsigned now = width_of(term);
  if (narrowing_log == nullptr || now <= width) return;
  const z3::expr fits = term.extract(now - 1, width) == term.ctx().bv_val(0, now - width);
  require("a value does not fit " + std::to_string(width) + " bits",
          term.is_numeral() ? fits.simplify() : fits);
}
void require(const std::string& what, const z3::expr& condition) {
  if (narrowing_log != nullptr) narrowing_log->add(what, condition);
}

Word Word::literal(u64 v) const {
  return e.ctx().bv_val(static_cast<std::uint64_t>(v),
                        std::max(width_of(e), v == ~u64{0} ? 64 : bits_for(v + 1)));
}

Bool operator!(const Bool& a) { return !a.e; }
Bool operator&&(const Bool& a, const Bool& b) { return a.e && b.e; }
Bool operator&&(bool a, const Bool& b) { return a ? b : Bool(b.e.ctx().bool_val(false)); }
Bool operator&&(const Bool& a, bool b) { return b && a; }
Bool operator||(const Bool& a, const Bool& b) { return a.e || b.e; }
Bool operator||(bool a, const Bool& b) { return a ? Bool(b.e.ctx().bool_val(true)) : b; }
Bool operator||(const Bool& a, bool b) { return b || a; }
Bool operator==(const Bool& a, const Bool& b) { return a.e == b.e; }
Bool operator==(const Bool& a, bool b) { return b ? a : !a; }
Bool operator!=(const Bool& a, const Bool& b) { return a.e != b.e; }
Bool implies(const Bool& a, const Bool& b) { return z3::implies(a.e, b.e); }
Bool implies(bool a, const Bool& b) { return !a || b; }
Bool implies(const Bool& a, bool b) { return !a || b; }

Word operator~(const Word& a) { return ~fit(a.e, 64); }
Word wide(const Word& a) { return fit(a.e, 64); }
Word ite(const Bool& c, const Word& a, const Word& b) {
  const Widened w(a, b);
  return z3::ite(c.e, w.a, w.b);
}
Word ite_literals(const Bool& c, u64 a, u64 b) {
  z3::context& x = c.e.ctx();
  return z3::ite(c.e, x.bv_val(static_cast<std::uint64_t>(a), 64),
                 x.bv_val(static_cast<std::uint64_t>(b), 64));
}
Bool ite(const Bool& c, const Bool& a, const Bool& b) { return z3::ite(c.e, a.e, b.e); }
Bool ite(const Bool& c, bool a, const Bool& b) { return a ? c || b : !c && b; }
Bool ite(const Bool& c, const Bool& a, bool b) { return b ? !c || a : c && a; }

#define PTMC_SYM_DEFINE(op, R, Width, term)     \
  R operator op(const Word& x, const Word& y) { \
    const Width w(x, y);                        \
    return term;                                \
  }
PTMC_SYM_DEFINE(&, Word, Widened, w.a& w.b)
PTMC_SYM_DEFINE(|, Word, Widened, w.a | w.b)
PTMC_SYM_DEFINE(^, Word, Widened, w.a ^ w.b)
PTMC_SYM_DEFINE(+, Word, Full, w.a + w.b)
PTMC_SYM_DEFINE(-, Word, Full, w.a - w.b)
PTMC_SYM_DEFINE(*, Word, Full, w.a* w.b)
PTMC_SYM_DEFINE(<<, Word, Full, z3::shl(w.a, w.b))
PTMC_SYM_DEFINE(>>, Word, Widened, z3::lshr(w.a, w.b))
PTMC_SYM_DEFINE(==, Bool, Widened, w.a == w.b)
PTMC_SYM_DEFINE(!=, Bool, Widened, w.a != w.b)
PTMC_SYM_DEFINE(<, Bool, Widened, z3::ult(w.a, w.b))
PTMC_SYM_DEFINE(<=, Bool, Widened, z3::ule(w.a, w.b))
#undef PTMC_SYM_DEFINE

}  // namespace ptmc::sym
