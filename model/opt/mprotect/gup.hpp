// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/gup.c gup_fast, gup_fast_pte_range, try_grab_folio_fast, unpin_user_page; mm/internal.h
//   gup_must_unshare; include/linux/rmap.h __folio_try_share_anon_rmap, (B1) to (B5) (6.12).
// Claim: a page that GUP-fast returns stays the page that its process sees until it is given back; what takes
//   pages away is noticed without a lock, or notices the reference.
// Omitted: several pages a call, the slow path that a failed attempt falls back to (it takes the mmap lock),
//   FOLL_LONGTERM, FOLL_GET to read (it promises nothing), huge entries, page tables that go away. x86: it
//   runs on the last user CPU, with interrupts off; arm64: on another one, where that hinders nobody.
#pragma once
#include "model/opt/mprotect/flush.hpp"

namespace ptmc::mprotect {

template <class D, class B>
struct GupRegisters {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages)>;
  using Two = Bits<D, 2>;
  BOOST_HANA_DEFINE_STRUCT(GupRegisters, (Entry, pte), (Page, page), (Two, foll),  // Foll.
                           (F, irqs_off), (F, holds),                              // A reference.
                           (F, backs_off), (F, counts),
                           (F, raced));  // Has read write_protect_seq; it has moved since.
};

template <class B>
struct Gup {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.gup); };
  static constexpr u64 ways = 3;

  /// The read of write_protect_seq belongs to it: a fork that begins between the two reads is noticed, too,
  /// and with an odd count a pin is left to the slow path.
  static constexpr auto ptep_get_lockless = choose<ways * B::pages>(
      "ptep_get_lockless",
      [](const auto& s, const auto&, Ctx x) {
        const bool gets = x.k % ways == get_to_write;
        return x.k / ways < x.count(By::page) && (!gets || x.knob(KnobId::gup) == pins_and_gets) &&
               (gets || !s.mm.write_protect);
      },
      [](auto& s, auto& r, Ctx x) {
        r.page = x.k / ways;
        r.foll = x.k % ways;
        r.counts = x.k % ways != get_to_write;
        r.irqs_off = true;
        r.pte = V::pte(s, x.k / ways);
      });
  static constexpr auto permitted = [](const auto& r) {
    const auto pkeys = u64{0};  // Key 0 allows all.
    return Arch::pte_access_permitted(load(r.pte), r.foll != u64{pin_to_read}, pkeys);
  };
  static constexpr auto try_grab_folio_fast =
      step("try_grab_folio_fast", [](auto&, auto& r) { r.holds = true; });
  static constexpr auto ptep_get = step("ptep_get", [](auto& s, auto& r) {
    r.backs_off = r.backs_off || hw::load_entry(at(s.pte, load(r.page))) != r.pte;
  });
  static constexpr auto asks_exclusive = [](const auto& r) {
    return r.foll == u64{pin_to_read} && !Arch::pte_write(load(r.pte));
  };
  static constexpr auto gup_must_unshare = step("gup_must_unshare", [](auto& s, auto& r) {
    r.backs_off = r.backs_off || !at(s.folio.exclusive, V::frame_of(load(r.pte)));
  });
  static constexpr auto gup_put_folio = step("gup_put_folio", [](auto&, auto& r) { r.holds = false; });
  static void forget(auto& r) {
    r.holds = false;
    r.pte = 0;
    r.page = 0;
    r.foll = 0;
    r.backs_off = false;
    r.counts = false;
    r.raced = false;
  }
  static constexpr auto local_irq_restore = step("local_irq_restore", [](auto&, auto& r) {
    r.irqs_off = false;
    when(!r.holds, r, [](auto& failed) { forget(failed); });
  });
  static constexpr auto read_seqcount_retry = step("read_seqcount_retry", [](auto&, auto& r) {
    when(load(r.raced), r, [](auto& failed) { forget(failed); });
  });
  static constexpr auto returned = step("return", [](auto& s, auto& r) {
    s.ghost.pin = true;
    s.ghost.pin_page = load(r.page);
    s.ghost.pin_frame = V::frame_of(load(r.pte));
    r.pte = 0;
    r.counts = false;
    r.raced = false;
  });
  static constexpr auto unpin_user_page = step("unpin_user_page", [](auto& s, auto& r) {
    s.ghost.pin = false;
    s.ghost.pin_page = 0;
    s.ghost.pin_frame = 0;
    forget(r);
  });

  static constexpr auto sequence_ = sequence(
      "gup", registers,
      block("gup_fast",
            block("gup_fast_pte_range", ptep_get_lockless,
                  if_(permitted, try_grab_folio_fast, ptep_get, if_(asks_exclusive, gup_must_unshare),
                      if_([](const auto& r) { return load(r.backs_off); }, gup_put_folio))),
            local_irq_restore, if_([](const auto& r) { return r.holds && r.counts; }, read_seqcount_retry)),
      if_([](const auto& r) { return load(r.holds); }, returned, unpin_user_page));
};

}  // namespace ptmc::mprotect
