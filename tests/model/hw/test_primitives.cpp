// The hardware primitives, in the plain and the packed domain.
#include <doctest/doctest.h>

#include "checker/lower/packed.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/hw/break_before_make.hpp"
#include "model/hw/invalidate.hpp"
#include "model/hw/walker.hpp"

using namespace ptmc;

namespace {

template <class D, class Arch>
struct Machine {
  using E = hw::Entry<Arch, D, 2>;
  using T = hw::TlbEntry<D, 4>;
  using Entries = Array<D, E, 2, By::page>;
  using Tlb = Array<D, T, 2, By::page>;
  using Tlbs = Array<D, Tlb, 2, By::cpu>;
  using Invalidations = hw::Posted<D, 2, 2, 2>;
  BOOST_HANA_DEFINE_STRUCT(Machine, (Entries, entry), (Tlbs, tlb), (Invalidations, posted));
};

constexpr u64 x86_ro = X86_64::present | X86_64::user | u64{2} << 12, x86_rw = x86_ro | X86_64::rw;
constexpr u64 arm_rw = Arm64::type_page | Arm64::user | Arm64::rdonly | Arm64::dbm | u64{2} << 12,
              arm_ro = arm_rw & ~Arm64::dbm;

/// body(machine) in both domains.
template <class Arch, class Body>
void in_both(Body body) {
  Machine<Plain, Arch> plain;
  body(plain);
  Pool pool;
  const PoolScope scope(pool);
  u64 words[16] = {};
  Machine<Packed, Arch> machine = packed::view<Machine<Packed, Arch>>(words, 0);
  body(machine);
}

Config two_cpus(std::initializer_list<arm::Feature> features = {}) {
  Config config;
  config.bound[static_cast<unsigned>(By::cpu)] = 2;
  for (const auto f : features) config.features |= bit(static_cast<unsigned>(f));
  return config;
}
Ctx ctx(const Config& config, Operand operand = Operand::as_written) {
  Ctx x;
  x.config = &config;
  x.operand = operand;
  return x;
}

}  // namespace

TEST_CASE("x86: a walk sets A first, a store through D=0 sets D, through D=1 looks at nothing") {
  const Config config = two_cpus();
  in_both<X86_64>([&](auto& m) {
    const hw::Walker<X86_64> walker(ctx(config));
    auto&& e = m.entry[0];
    auto&& t = m.tlb[0][0];
    CHECK_FALSE(walker.can_fill(e));
    hw::store_entry(e, 0, x86_rw);
    REQUIRE(walker.can_fill(e));
    CHECK_FALSE(walker.can_fill_before(e));
    walker.fill(t, e);
    CHECK(hw::load_entry(e) == (x86_rw | X86_64::accessed));
    CHECK((t.valid && t.frame == 2 && t.writable && !t.dirty));
    const auto first = walker.access_store(t, e);
    CHECK((first.walked && !first.hit && !first.faulted));
    CHECK(hw::load_entry(e) == (x86_rw | X86_64::accessed | X86_64::dirty));
    CHECK(hw::xchg_entry(e, 0, u64{0}) == (x86_rw | X86_64::accessed | X86_64::dirty));
    const auto second = walker.access_store(t, e);
    CHECK((second.hit && !second.walked && !second.faulted));
    CHECK(hw::load_entry(e) == 0);
  });
}

TEST_CASE("a store through a clean entry that the tables no longer allow faults; only x86 drops the entry") {
  const Config config = two_cpus({arm::Feature::ha, arm::Feature::hd});
  auto check = [&]<class Arch>(Arch, u64 rw, bool kept) {
    in_both<Arch>([&](auto& m) {
      const hw::Walker<Arch> walker(ctx(config));
      auto&& t = m.tlb[1][1];
      hw::store_entry(m.entry[1], 0, rw);
      walker.fill(t, m.entry[1]);
      CHECK((t.writable && !t.dirty));
      hw::store_entry(m.entry[1], 0, u64{0});
      const auto a = walker.access_store(t, m.entry[1]);
      CHECK((a.walked && a.faulted && !a.hit));
      CHECK(load(t.valid) == kept);
    });
  };
  check(X86_64{}, x86_rw, false);
  check(Arm64{}, arm_rw, true);
}

TEST_CASE("arm64: AF=0 is cached only with HA, DBM counts only with HD") {
  for (const bool ha : {false, true})
    for (const bool hd : {false, true}) {
      Config config = two_cpus();
      if (ha) config.features |= bit(static_cast<unsigned>(arm::Feature::ha));
      if (hd) config.features |= bit(static_cast<unsigned>(arm::Feature::hd));
      in_both<Arm64>([&](auto& m) {
        const hw::Walker<Arm64> walker(ctx(config));
        auto&& t = m.tlb[0][0];
        auto&& e = m.entry[0];
        hw::store_entry(e, 0, arm_rw);
        hw::drain(e);
        CHECK(walker.can_fill(e) == ha);
        hw::store_entry(e, 0, arm_rw | Arm64::af);
        CHECK_FALSE(walker.can_fill_before(e));  // The older word would need an atomic update.
        REQUIRE(walker.can_fill(e));
        walker.fill(t, e);
        CHECK((t.valid && t.writable == (ha && hd) && !t.dirty));
        const auto a = walker.access_store(t, e);
        CHECK(a.faulted == !(ha && hd));
        CHECK(Arm64::hw_dirty(hw::load_entry(e)) == (ha && hd));
        hw::store_entry(e, 0, arm_ro | Arm64::af);
        CHECK(walker.access_load(t, e).hit);
      });
    }
}

TEST_CASE("arm64: a lagging store leaves the oldest word to the walkers until its issuer has had a DSB") {
  const Config config = two_cpus();
  in_both<Arm64>([&](auto& m) {
    const hw::Walker<Arm64> walker(ctx(config));
    auto&& e = m.entry[0];
    auto&& t = m.tlb[0][0];
    hw::store_entry(e, 0, arm_ro | Arm64::af);
    hw::drain(e);
    CHECK_FALSE(hw::has_before(e));
    hw::store_entry(e, 0, u64{0});
    CHECK(hw::cmpxchg_entry(e, 0, u64{0}, arm_rw));
    CHECK_FALSE(hw::cmpxchg_entry(e, 0, u64{0}, arm_ro));
    CHECK(hw::load_entry(e) == arm_rw);
    REQUIRE(walker.can_fill_before(e));
    walker.fill_before(t, e);
    CHECK((t.valid && !t.writable));
    hw::publish(e, 1);
    CHECK(hw::has_before(e));
    hw::publish(e, 0);
    CHECK_FALSE(hw::has_before(e));
    CHECK(load(e.before) == 0);
    // Another PE that stores has read the entry: what it read is visible to all (other-multi-copy atomicity).
    hw::store_entry(e, 0, u64{0});
    CHECK(hw::xchg_entry(e, 1, arm_ro) == 0);
    CHECK(hw::has_before(e));
    CHECK_FALSE(walker.can_fill_before(e));
  });
}

TEST_CASE("invalidations: who is reached, when, and what an operand does to them") {
  const Config config = two_cpus();
  auto masks = [&]<class Arch>(Arch, Operand operand, u64 pages) {
    u64 got = 0;
    in_both<Arch>([&](auto& m) {
      hw::post<Arch>(m.posted, 1, pages, ctx(config, operand), [](u64 c) { return c == 1; });
      CHECK(load(m.posted.pages[1][0]) == 0);
      got = load(m.posted.pages[1][1]);
      CHECK(hw::complete(m.posted, 0));
      CHECK(hw::complete(m.posted, 1) == (got == 0));
      CHECK(hw::can_deliver<Arch>(m.posted, 1, 1, true) == (got != 0 && Arch::tlbi_is_posted));
      CHECK(hw::can_deliver<Arch>(m.posted, 1, 1, false) == (got != 0));
      for (u64 v = 0; v < 2; ++v) m.tlb[1][v].valid = true;
      hw::deliver(m.posted, 1, 1, m.tlb[1]);
      for (u64 v = 0; v < 2; ++v) CHECK(load(m.tlb[1][v].valid) == ((got >> v & 1) == 0));
      CHECK(hw::complete(m.posted, 1));
    });
    return got;
  };
  CHECK(masks(X86_64{}, Operand::as_written, 2) == 2);
  CHECK(masks(X86_64{}, Operand::other_page, 2) == 1);
  CHECK(masks(X86_64{}, Operand::short_range, 3) == 1);
  CHECK(masks(X86_64{}, Operand::leaf_only, 3) == 3);
  CHECK(masks(X86_64{}, Operand::walk_only, 3) == 0);
  CHECK(masks(X86_64{}, Operand::no_page, 3) == 0);
  CHECK(masks(X86_64{}, Operand::local_only, 3) == 0);
  CHECK(masks(X86_64{}, Operand::wrong_level, 3) == 3);
  CHECK(masks(Arm64{}, Operand::wrong_level, 3) == 0);
  CHECK(hw::operand_absent<Arm64>(Operand::wrong_level) == nullptr);
  CHECK(hw::operand_absent<X86_64>(Operand::wrong_level) != nullptr);
  CHECK(hw::operand_absent<X86_64>(Operand::other_page) == nullptr);
}

TEST_CASE("break-before-make: output address, memory type and CONT, not permissions; x86 has no such rule") {
  const u64 rw = arm_rw | Arm64::af, moved = rw + (u64{1} << 12), device = rw | u64{3} << 2;
  CHECK(hw::needs_break<Arm64>(rw, moved, false));
  CHECK(hw::needs_break<Arm64>(rw, moved, true));
  CHECK(hw::needs_break<Arm64>(rw, device, true));
  CHECK(hw::needs_break<Arm64>(rw, rw | Arm64::cont, false));
  CHECK_FALSE(hw::needs_break<Arm64>(rw, rw | Arm64::cont, true));
  CHECK_FALSE(hw::needs_break<Arm64>(rw, arm_ro, false));
  CHECK_FALSE(hw::needs_break<Arm64>(rw, u64{0}, false));
  CHECK_FALSE(hw::needs_break<Arm64>(u64{0}, moved, false));
  CHECK_FALSE(hw::needs_break<X86_64>(x86_rw, x86_rw + (u64{1} << 12), false));
  hw::WideTlbEntry<Plain, 4> t;
  CHECK_FALSE(hw::clashes<Arm64>(t, moved, false));
  t.valid = true;
  t.frame = 2;
  CHECK(hw::clashes<Arm64>(t, moved, false));
  CHECK_FALSE(hw::clashes<Arm64>(t, rw, false));
  CHECK(hw::clashes<Arm64>(t, rw | Arm64::cont, false));
}
