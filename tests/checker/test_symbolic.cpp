// The symbolic domain means what the plain one does; what the plain one refuses becomes an obligation.
#include <doctest/doctest.h>

#include "checker/symbolic/domain.hpp"

using namespace ptmc;

namespace {

template <class D>
struct Cell {
  using Small = Bits<D, 3>;
  using Lit = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Cell, (Small, n), (Lit, lit));
};
template <class D>
struct Box {
  using Cells = Array<D, Cell<D>, 3>;
  using Entry = Word<D>;
  BOOST_HANA_DEFINE_STRUCT(Box, (Cells, cell), (Entry, entry));
};

Box<Symbolic> box(z3::context& c) {
  auto next = [&, k = 0]<class L>() mutable {
    const std::string name = "x" + std::to_string(k++);
    if constexpr (std::is_same_v<L, sym::Bool>)
      return L(c.bool_const(name.c_str()));
    else
      return L(c.bv_const(name.c_str(), L::width));
  };
  return sym::build<Box<Symbolic>>(next);
}

bool valid(const z3::expr& claim) {
  z3::solver s(claim.ctx(), "QF_BV");
  s.add(!claim);
  return s.check() == z3::unsat;
}
bool satisfiable(const z3::expr& claim) { return !valid(!claim); }

}  // namespace

TEST_CASE("states are values: copied, cleared, assigned") {
  z3::context c;
  Box<Symbolic> a = box(c), b = a;
  b.cell[1].n = 5;
  CHECK(valid(b.cell[1].n.e == 5));
  CHECK_FALSE(z3::eq(a.cell[1].n.e, b.cell[1].n.e));
  assign(a, b);
  CHECK(z3::eq(a.cell[1].n.e, b.cell[1].n.e));
  clear(a);
  for (const z3::expr& leaf : sym::leaves(a)) CHECK(valid(leaf.is_bool() ? !leaf : leaf == 0));
  Box<Plain> plain;
  plain.cell[2].lit = true;
  assign(b, plain);
  CHECK(valid(b.cell[2].lit.e));
  CHECK_THROWS_AS(b.cell[3], std::out_of_range);
}

TEST_CASE("arithmetic is that of 64 bits, so that a value that does not fit is seen") {
  z3::context c;
  Box<Symbolic> b = box(c);
  const sym::Word n = load(b.cell[0].n);
  CHECK(valid((n < n + 1).e));
  CHECK(valid((n << 3 >> 3 == n).e));
  CHECK(valid(((n & ~n) == 0).e));
  CHECK(valid(implies(n == 0u, n - 1 == ~u64{0}).e));
  const sym::NarrowingLog log;
  b.cell[0].n = n + 1;
  CHECK(valid(conjunction(log.obligations(), c) == (n != 7u).e));
  b.cell[0].n = 8;
  CHECK_FALSE(satisfiable(conjunction(log.obligations(), c)));
}

TEST_CASE("obligations hold under the condition of the branch they are in") {
  z3::context c;
  Box<Symbolic> b = box(c);
  const Box<Symbolic> before = b;
  const sym::NarrowingLog log;
  when(b.cell[0].lit, b, [](auto& s) {
    s.cell[0].n = s.cell[0].n + 1;
    s.entry = 7;
  });
  CHECK(
      valid(conjunction(log.obligations(), c) == z3::implies(before.cell[0].lit.e, before.cell[0].n.e != 7)));
  CHECK(valid(z3::implies(!before.cell[0].lit.e, b.entry.e == before.entry.e)));
  CHECK(valid(z3::implies(before.cell[0].lit.e, b.entry.e == 7)));
  CHECK(z3::eq(b.cell[1].n.e, before.cell[1].n.e));  // Untouched leaves keep their term.
}

TEST_CASE("elements by a term") {
  z3::context c;
  Box<Symbolic> b = box(c);
  const Box<Symbolic> before = b;
  const sym::Word i = load(b.cell[2].n);
  const sym::NarrowingLog log;
  CHECK(valid(implies(i == 1u, at(b.cell, i).n == b.cell[1].n).e));
  CHECK(valid(conjunction(log.obligations(), c) == (i < 3u).e));
  int runs = 0;
  update(b.cell, i, [&](auto& cell) {
    cell.lit = true;
    ++runs;
  });
  CHECK(runs == 1);
  CHECK(valid(implies(i == 0u, b.cell[0].lit).e));
  CHECK(valid(implies(i != 0u, b.cell[0].lit == before.cell[0].lit).e));
  CHECK(z3::eq(b.cell[0].n.e, before.cell[0].n.e));
}

TEST_CASE("exchange returns what was there") {
  z3::context c;
  Box<Symbolic> b = box(c);
  const Box<Symbolic> before = b;
  const auto old = xchg(b.entry, 5u);
  CHECK(z3::eq(old.e, before.entry.e));
  const auto same = cmpxchg(b.cell[0].n, 3u, 4u);
  CHECK(valid(same.e == (before.cell[0].n.e == 3)));
  CHECK(valid(z3::implies(same.e, b.cell[0].n.e == 4)));
  CHECK(valid(z3::implies(!same.e, b.cell[0].n.e == before.cell[0].n.e)));
}
