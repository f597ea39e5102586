// The protocol that SPIN and a hand-packed explorer are compared on: a batched TLB flush on unmap against
// mprotect.
//
// The same guarded commands as gen_spin.py and hand_packed/model.h, so that counts of states and transitions
// are equal. It is written in the modelling language and lowered like every model; no engine knows it. As in
// its peers, a step may make several shared accesses.
#pragma once
#include "model/core/language.hpp"
#include "model/core/reflect.hpp"

namespace ptmc::peers {

enum Pte : u64 { none, ro, rw, prot_none, swapped, freed };
enum Prot : u64 { no_access, read_only, read_write };  // Of the VMA and, per page, of a TLB.

template <class D>
struct Reclaim {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Reclaim, (F, more),  // The branch that the last step decided.
                           (F, accessible),     // Of the page just unmapped.
                           (F, pending));       // A flush is owed.
};
template <class D>
struct Mprotect {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Mprotect, (F, more), (F, lowered));
};

template <class D, u64 cpus, u64 pages>
struct State {
  using Tlb = Array<D, Array<D, Bits<D, 2>, pages, By::page>, cpus, By::cpu>;
  using Ptes = Array<D, Bits<D, 3>, pages, By::page>;
  using Pages = Array<D, Flag<D>, pages, By::page>;
  using Cpus = Array<D, Flag<D>, cpus, By::cpu>;
  using F = Flag<D>;
  using P = Bits<D, 2>;
  using R = Reclaim<D>;
  using M = Mprotect<D>;
  BOOST_HANA_DEFINE_STRUCT(State, (Tlb, tlb), (Ptes, pte), (Pages, dirty),
                           (Cpus, reclaim_ipi),   // A flush that the CPU has not acknowledged.
                           (Cpus, mprotect_ipi),  // The same, sent by mprotect.
                           (F, ptl), (P, vma), (F, flush_pending), (F, batched), (R, reclaim), (M, mprotect));
};

template <u64 cpus, u64 pages>
struct Toy {
  template <class D>
  using State = peers::State<D, cpus, pages>;
  enum Knobs : unsigned { pte_accessible, flush_tlb_batched_pending };
  static constexpr std::array<Knob, 2> knobs{
      {{"pte_accessible", {"kernel", "no-pending"}}, {"flush_tlb_batched_pending", {"kernel", "none"}}}};

  static constexpr void send(auto&& ipi) {
    for (u64 c = 0; c < cpus; ++c) ipi[c] = true;
  }
  static constexpr bool acknowledged(const auto& ipi) {
    return for_all<cpus>([&](u64 c) { return !ipi[c]; });
  }
  static constexpr void acknowledge(auto& s, auto&& ipi, u64 c) {
    ipi[c] = false;
    for (u64 i = 0; i < pages; ++i) s.tlb[c][i] = no_access;
  }
  static constexpr u64 new_pte(const auto& s, u64 i) {
    const bool writable = s.vma == read_write && s.dirty[i];
    return ite(s.vma == no_access, u64{prot_none}, ite(writable, u64{rw}, u64{ro}));
  }
  static constexpr bool quiet(const auto& s) { return !s.ptl && !s.flush_pending; }

  static constexpr auto ptl_free = [](const auto& s) { return !s.ptl; };
  static constexpr auto unlock = step("unlock", [](auto& s) { s.ptl = false; });

  static constexpr auto reclaim = sequence(
      "reclaim", [](auto& s, u64) -> decltype(auto) { return (s.reclaim); },
      loop<By::page>(
          step("lock", ptl_free, [](auto& s) { s.ptl = true; }),
          step("get_and_clear",
               [](auto& s, auto& r, Ctx x) {
                 const u64 pte = s.pte[x.i];
                 const bool mapped = pte < swapped;
                 const bool pending = s.flush_pending && x.knob(pte_accessible) == 0;
                 r.more = mapped;
                 r.accessible = mapped && (pte == ro || pte == rw || (pte == prot_none && pending));
                 s.pte[x.i] = ite(mapped, u64{swapped}, pte);
               }),
          if_([](const auto& r) { return load(r.more); }, step("set_pending",
                                                               [](auto& s, auto& r) {
                                                                 r.pending = r.pending || r.accessible;
                                                                 s.batched = s.batched || r.accessible;
                                                                 r.accessible = false;
                                                                 r.more = false;
                                                               })),
          unlock),
      step("flush",
           [](auto& s, auto& r) {
             when(load(r.pending), s, [](auto& t) { send(t.reclaim_ipi); });
             r.more = load(r.pending);
             r.pending = false;
           }),
      if_([](const auto& r) { return load(r.more); },
          step(
              "wait", [](const auto& s) { return acknowledged(s.reclaim_ipi); },
              [](auto&, auto& r) { r.more = false; })),
      loop<By::page>(step("free", [](auto& s, auto&, Ctx x) {
        when(s.pte[x.i] == swapped, s, [&](auto& t) {
          t.pte[x.i] = freed;
          t.dirty[x.i] = false;
        });
      })));

  static constexpr auto mprotect = sequence(
      "mprotect", [](auto& s, u64) -> decltype(auto) { return (s.mprotect); },
      choose<3>(
          "enter", [](const auto& s, Ctx x) { return s.vma != x.k; },
          [](auto& s, Ctx x) {
            s.vma = x.k;
            s.flush_pending = true;
          }),
      step("lock", ptl_free,
           [](auto& s, auto& r, Ctx x) {
             s.ptl = true;
             r.more = s.batched && x.knob(flush_tlb_batched_pending) == 0;
             when(load(r.more), s, [](auto& t) {
               t.batched = false;
               send(t.mprotect_ipi);
             });
           }),
      if_([](const auto& r) { return load(r.more); },
          step(
              "wait_batched", [](const auto& s) { return acknowledged(s.mprotect_ipi); },
              [](auto&, auto& r) { r.more = false; })),
      loop<By::page>(step("start",
                          [](auto& s, auto& r, Ctx x) {
                            const u64 pte = s.pte[x.i], to = new_pte(s, x.i);
                            r.more = pte >= ro && pte <= prot_none && pte != to;
                            r.lowered = r.lowered || (r.more && (to == prot_none || (pte == rw && to == ro)));
                            s.pte[x.i] = ite(load(r.more), u64{none}, pte);
                          }),
                     if_([](const auto& r) { return load(r.more); }, step("commit",
                                                                          [](auto& s, auto& r, Ctx x) {
                                                                            s.pte[x.i] = new_pte(s, x.i);
                                                                            r.more = false;
                                                                          }))),
      unlock,
      step("flush",
           [](auto& s, auto& r) {
             when(load(r.lowered), s, [](auto& t) { send(t.mprotect_ipi); });
             r.more = load(r.lowered);
             r.lowered = false;
           }),
      if_([](const auto& r) { return load(r.more); },
          step(
              "wait", [](const auto& s) { return acknowledged(s.mprotect_ipi); },
              [](auto&, auto& r) { r.more = false; })),
      step("return", [](auto& s) { s.flush_pending = false; }));

  static constexpr auto actors = hana::make_basic_tuple(reclaim, mprotect);
  static constexpr auto environment = hana::make_basic_tuple(
      ruleset<By::cpu, By::page>(
          "load",
          [](const auto& s, u64 c, u64 i) {
            const u64 pte = s.pte[i];
            return (pte == ro || pte == rw) && s.tlb[c][i] != pte;
          },
          [](auto& s, u64 c, u64 i) { s.tlb[c][i] = load(s.pte[i]); }),
      ruleset<By::cpu, By::page>(
          "evict", [](const auto& s, u64 c, u64 i) { return s.tlb[c][i] != no_access; },
          [](auto& s, u64 c, u64 i) { s.tlb[c][i] = no_access; }),
      ruleset<By::cpu, By::page>(
          "write", [](const auto& s, u64 c, u64 i) { return s.tlb[c][i] == read_write && !s.dirty[i]; },
          [](auto& s, u64, u64 i) { s.dirty[i] = true; }),
      ruleset<By::cpu>(
          "ack_reclaim", [](const auto& s, u64 c) { return load(s.reclaim_ipi[c]); },
          [](auto& s, u64 c) { acknowledge(s, s.reclaim_ipi, c); }),
      ruleset<By::cpu>(
          "ack_mprotect", [](const auto& s, u64 c) { return load(s.mprotect_ipi[c]); },
          [](auto& s, u64 c) { acknowledge(s, s.mprotect_ipi, c); }),
      ruleset<By::page>(
          "swap_in", [](const auto& s, u64 i) { return s.pte[i] == freed && s.vma != no_access && quiet(s); },
          [](auto& s, u64 i) { s.pte[i] = load(s.vma); }),
      ruleset<By::page>(
          "write_fault",
          [](const auto& s, u64 i) { return s.pte[i] == ro && s.vma == read_write && quiet(s); },
          [](auto& s, u64 i) { s.pte[i] = rw; }));

  /// The rights that TLBs hold for a page, or-ed.
  static constexpr u64 held(const auto& s, u64 i) {
    u64 rights = no_access;
    for (u64 c = 0; c < cpus; ++c) rights |= s.tlb[c][i];
    return rights;
  }
  static constexpr auto predicates = hana::make_basic_tuple(
      always("freed", "no TLB holds a page that is freed or is about to be",
             [](const auto& s, const auto& w) {
               u64 suspects = 0;
               for (u64 i = 0; i < pages; ++i) suspects += held(s, i) != no_access && s.pte[i] >= swapped;
               return suspects == 0 || for_all<pages>([&](u64 i) {
                        const bool gone =
                            s.pte[i] == freed || (s.pte[i] == swapped && w.in("reclaim", "wait", "free", i));
                        return !gone || held(s, i) == no_access;
                      });
             }),
      always("rights", "no TLB grants more than the VMA when mprotect returns",
             [](const auto& s, const auto& w) {
               return !w.in("mprotect", "wait", "return") || for_all<cpus>([&](u64 c) {
                 return for_all<pages>([&](u64 i) { return s.tlb[c][i] <= s.vma; });
               });
             }));
  static constexpr auto lemmas = hana::make_basic_tuple();

  static bool seed(State<Plain>& s, u64 k, const Config&) {
    for (u64 i = 0; i < pages; ++i) s.pte[i] = rw;
    s.vma = read_write;
    return k == 0;
  }
};

}  // namespace ptmc::peers
