// What observers of mprotect must never see, and what must be reachable for the claims to mean something.
//
// Observers: the user CPUs through what their TLBs grant, whoever else reads a page, whoever looks for stores
// (writeback, pagemap, userfaultfd, the file system), and the caller of mprotect when it returns. None reads
// PageAnonExclusive or another field that a guard of the code under test reads.
#pragma once
#include "model/opt/mprotect/machine.hpp"

namespace ptmc::mprotect {

template <class B>
struct Properties {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;

  static auto each_page(const auto& w, auto claim) {
    return for_all<B::pages>([&](u64 v) { return v >= w.config().count(By::page) || claim(v); });
  }
  static auto each_entry(const auto& s, auto claim) {
    return for_all<B::cpus>([&](u64 c) { return implies(load(s.tlb[c].valid), claim(s.tlb[c])); });
  }

  /// Reclaim has taken the entry and owes the flush: nobody has revoked what the VMA still grants.
  static auto unmapped_only(const auto& s, const auto& t, const auto& word) {
    return s.ghost.evicting && !Arch::pte_present(word) && t.frame == t.page + 1 &&
           s.mm.prot != u64{mm::prot_none} && implies(load(t.writable), s.mm.prot == u64{mm::prot_write});
  }

  static constexpr auto stale =
      always("stale", "no CPU can use a right that a call has taken from the table and returned",
             [](const auto& s, const auto& w) {
               return s.ghost.revoking || s.ghost.cleaning || each_entry(s, [&](const auto& t) {
                        const auto word = hw::load_entry(at(s.pte, load(t.page)));
                        return unmapped_only(s, t, word) ||
                               (Arch::hw_valid(word) && V::frame_of(word) == t.frame &&
                                implies(load(t.writable), V::can_store(word, w.config())));
                      });
             });
  static constexpr auto excess = always(
      "excess", "no store can change what somebody reads who has not consented to it",
      [](const auto& s, const auto& w) {
        return each_entry(s,
                          [&](const auto& t) { return !t.writable || !at(s.ghost.other, load(t.frame)); }) &&
               each_page(w, [&](u64 v) {
                 const auto word = V::pte(s, v);
                 return implies(V::can_store(word, w.config()), !at(s.ghost.other, V::frame_of(word)));
               });
      });
  /// Who finds a store: writeback and reclaim by D or PG_dirty, pagemap by the soft-dirty bit, userfaultfd
  /// and the file system before it happens. While the entry is in somebody's hands nobody looks.
  static constexpr auto lost =
      always("lost", "each store is found by whoever looks for it", [](const auto& s, const auto& w) {
        const Kind kind = V::kind(w.config());
        return each_page(w, [&](u64 v) {
          const auto word = V::pte(s, v);
          const auto dirty =
              (Arch::pte_present(word) && Arch::pte_dirty(word)) || (V::is_anon(kind) && s.folio.dirty);
          return implies(s.ghost.stored[v] && word != 0u,
                         (dirty || s.ghost.saving) && (kind != soft_dirty || Arch::pte_soft_dirty(word)) &&
                             (kind != notified || s.ghost.notified) && !s.ghost.asked[v]);
        });
      });
  static constexpr auto done = always(
      "done", "mprotect that has returned has set the rights it promised, and no frame, mark or page else",
      [](const auto& s, const auto& w) {
        return s.ghost.revoking || s.ghost.cleaning || each_page(w, [&](u64 v) {
                 const auto word = V::pte(s, v);
                 const auto none = s.mm.prot == u64{mm::prot_none};
                 const auto swapped = V::is_swap_entry_of(word, v) || (s.ghost.evicting && word == 0u);
                 const auto merged = V::kind(w.config()) == small && Arch::pte_pfn(word) == 0u;
                 return swapped ||
                        (Arch::pte_present(word) && (Arch::pte_pfn(word) == v + 1 || merged) &&
                         Arch::hw_valid(word) == !none && Arch::pte_protnone(word) == none &&
                         implies(V::can_store(word, w.config()), s.mm.prot == u64{mm::prot_write}) &&
                         implies(load(s.ghost.asked[v]), Arch::pte_uffd_wp(word)));
               });
      });
  static constexpr auto pinned =
      always("pinned", "what somebody holds a pin on is the page that its process sees, and nobody else's",
             [](const auto& s) {
               const auto word = hw::load_entry(at(s.pte, load(s.ghost.pin_page)));
               const auto frame = load(s.ghost.pin_frame);
               return implies(load(s.ghost.pin),
                              (word == 0u || V::frame_of(word) == frame) && !at(s.ghost.other, frame));
             });
  static constexpr auto precise =
      always("precise", "only pages that were stored to are reported as soft-dirty",
             [](const auto& s, const auto& w) {
               return V::kind(w.config()) != soft_dirty || each_page(w, [&](u64 v) {
                        return implies(Arch::pte_soft_dirty(V::pte(s, v)), load(s.ghost.stored[v]));
                      });
             });

  // ---- covers ----
  static constexpr auto revoked_but_cached = sometimes(
      "revoked_but_cached", "a CPU holds a right that mprotect has taken from the table and not yet flushed",
      [](const auto& s, const auto& w) {
        return exists<B::cpus>([&](u64 c) {
          const auto word = hw::load_entry(at(s.pte, load(s.tlb[c].page)));
          return s.ghost.revoking && s.tlb[c].writable && Arch::pte_present(word) &&
                 !V::can_store(word, w.config());
        });
      });
  static constexpr auto whole_range =
      sometimes("one_batch", "one batch takes the whole range",
                [](const auto& s) { return s.mprotect.start == 0u && s.mprotect.end == B::pages; });
  static constexpr auto ends_with_folio = sometimes(
      "ends_with_folio", "a batch ends with its folio, and the next entry would join it", [](const auto& s) {
        const u64 last = B::pages - 1, flags = Decide<Arch>::batch_flags;
        const auto first = load(s.mprotect.first);
        return s.mprotect.start == 0u && s.mprotect.end == last && s.mprotect.old == 0u &&
               Arch::pte_present(first) && Decide<Arch>::batches_with(first, V::pte(s, last), last, flags);
      });
  static constexpr auto split_by_exclusive = sometimes(
      "sub_batches", "a batch has pages that are exclusive and pages that are not", [](const auto& s) {
        return s.mprotect.write == u64{by_exclusive} && exists<B::pages - 1>([&](u64 v) {
                 return s.mprotect.start <= v && v + 1 < s.mprotect.end &&
                        s.folio.exclusive[v + 1] != s.folio.exclusive[v + 2];
               });
      });
  static constexpr auto store_in_window = sometimes(
      "store_in_window", "a CPU can store while the entry is none: its TLB has it dirty", [](const auto& s) {
        return exists<B::cpus>([&](u64 c) {
          return s.tlb[c].writable && s.tlb[c].dirty && hw::load_entry(at(s.pte, load(s.tlb[c].page))) == 0u;
        });
      });
  static constexpr auto upgraded = sometimes(
      "upgraded", "mprotect has made a page writable without a fault", [](const auto& s, const auto& w) {
        return s.mm.prot == u64{mm::prot_write} && s.mprotect.target == u64{mm::prot_write} &&
               exists<B::pages>([&](u64 v) { return V::can_store(V::pte(s, v), w.config()); });
      });
  static constexpr auto written_out = sometimes(
      "written_out", "writeback cleans a PROT_NONE page whose TLB entries mprotect has still to flush",
      [](const auto& s) {
        return s.ghost.saving && s.ghost.revoking && Arch::pte_protnone(load(s.rmap.old)) &&
               exists<B::cpus>([&](u64 c) { return load(s.tlb[c].writable); });
      });
  static constexpr auto child_reads =
      sometimes("child_reads", "a child has unmapped its pages and still reads them", [](const auto& s) {
        return s.ghost.other[1] && !s.folio.mapped_shared && !s.folio.exclusive[1] && !s.ghost.revoking;
      });
  static constexpr auto unmapped_but_cached =
      sometimes("unmapped_but_cached", "mprotect finds a page unmapped that a CPU can still store to",
                [](const auto& s) {
                  return s.ghost.revoking && s.ghost.evicting && exists<B::cpus>([&](u64 c) {
                           return s.tlb[c].writable &&
                                  Arch::is_swap_pte(hw::load_entry(at(s.pte, load(s.tlb[c].page))));
                         });
                });
  static constexpr auto ends_at_swap =
      sometimes("ends_at_swap", "a batch of two pages ends before one that is in swap", [](const auto& s) {
        return s.mprotect.start == 0u && s.mprotect.end == 2u && s.mprotect.old != 0u &&
               Arch::is_swap_pte(V::pte(s, B::pages - 1));
      });
  static constexpr auto paged_out =
      sometimes("paged_out", "the folio is written to swap, and a CPU can still read it", [](const auto& s) {
        return s.ghost.evicting && !s.folio.dirty && s.rmap.flush_required &&
               exists<B::cpus>([&](u64 c) { return load(s.tlb[c].valid); });
      });
  static constexpr auto faulted_back =
      sometimes("faulted_back", "a fault maps a page again before reclaim's flush", [](const auto& s) {
        return s.ghost.evicting && !s.folio.locked && s.rmap.flush_required && exists<B::cpus>([&](u64 c) {
                 return s.tlb[c].valid && V::is_swap_entry_of(V::pte(s, B::pages - 1), B::pages - 1) &&
                        Arch::pte_present(hw::load_entry(at(s.pte, load(s.tlb[c].page))));
               });
      });
  static constexpr auto merged_and_cached =
      sometimes("merged_and_cached", "a CPU reads the page that KSM has put in place", [](const auto& s) {
        return exists<B::cpus>([&](u64 c) {
          const auto word = hw::load_entry(at(s.pte, load(s.tlb[c].page)));
          return s.tlb[c].valid && s.tlb[c].frame == 0u && Arch::pte_present(word);
        });
      });
  static constexpr auto compared =
      sometimes("compared", "KSM relies on a page that a CPU can still read", [](const auto& s) {
        return s.mm.reader && s.ghost.other[1] &&
               exists<B::cpus>([&](u64 c) { return s.tlb[c].frame == 1u; });
      });
  static constexpr auto finds_reference = sometimes(
      "finds_reference", "KSM puts the entry back, because somebody has the page", [](const auto& s) {
        return s.rmap.busy && s.ghost.pin && hw::load_entry(at(s.pte, load(s.rmap.page))) == 0u;
      });
  static constexpr auto entry_changed = sometimes(
      "entry_changed", "GUP-fast has a reference, and the entry is not what it was", [](const auto& s) {
        return s.gup.holds && s.gup.irqs_off && hw::load_entry(at(s.pte, load(s.gup.page))) != s.gup.pte;
      });
  static constexpr auto must_unshare = sometimes(
      "must_unshare", "GUP-fast has a reference to a page to read that is not exclusive", [](const auto& s) {
        const auto pte = load(s.gup.pte);
        return s.gup.holds && s.gup.irqs_off && s.gup.foll == u64{pin_to_read} && !Arch::pte_write(pte) &&
               hw::load_entry(at(s.pte, load(s.gup.page))) == pte && !at(s.folio.exclusive, V::frame_of(pte));
      });
  static constexpr auto fork_finds_pin =
      sometimes("fork_finds_pin", "fork comes to a page that is pinned", [](const auto& s) {
        return s.ghost.pin && s.mm.write_protect && s.mm.ptl_held &&
               at(s.folio.exclusive, s.ghost.pin_page + 1);
      });
  static constexpr auto pinned_too_late = sometimes(
      "pinned_too_late", "GUP-fast has pinned a page that fork has meanwhile shared",
      [](const auto& s) { return s.gup.raced && s.gup.holds && !s.gup.irqs_off && !s.folio.exclusive[1]; });
};

/// The machine with what is claimed about it: what lowerings take.
template <class B>
struct Model : Machine<B> {
  template <class D>
  using State = mprotect::State<D, B>;
  using P = Properties<B>;
  static constexpr auto predicates = hana::make_basic_tuple(
      P::stale, P::excess, P::lost, P::done, P::precise, P::revoked_but_cached, P::whole_range,
      P::split_by_exclusive, P::store_in_window, P::upgraded, P::child_reads, P::written_out,
      P::unmapped_but_cached, P::ends_at_swap, P::paged_out, P::faulted_back, P::pinned, P::merged_and_cached,
      P::compared, P::finds_reference, P::entry_changed, P::must_unshare, P::fork_finds_pin,
      P::pinned_too_late, P::ends_with_folio);
  static constexpr auto lemmas = hana::make_basic_tuple();
};

}  // namespace ptmc::mprotect
