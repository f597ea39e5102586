#include "properties/mprotect/phrases.hpp"

#include <array>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/mprotect/world.hpp"

namespace ptmc::mprotect {
namespace {

using M = const Moment&;
using std::to_string;

template <class Arch>
std::string words(u64 e) {
  if (Arch::pte_none(e)) return "0";
  if (Arch::is_swap_pte(e)) return "swap entry";
  std::string text = Arch::pte_protnone(e) ? "PROT_NONE" : "pfn " + to_string(Arch::pte_pfn(e));
  const bool stack = Arch::hw_can_shadow_stack_store(e, Cet{});
  if (!Arch::pte_protnone(e)) text += stack ? " shadow stack" : Arch::pte_write(e) ? " RW" : " RO";
  if (!stack) text += Arch::pte_dirty(e) ? " dirty" : " clean";
  if (Arch::pte_soft_dirty(e)) text += " soft-dirty";
  if (Arch::pte_uffd_wp(e)) text += " uffd-wp";
  return text;
}
std::string entry_words(M m, u64 entry) {
  return m.trace.subject.arch.starts_with("x86") ? words<X86_64>(entry) : words<Arm64>(entry);
}

// "pte[1] = pfn 2 RO clean"; "" if no entry changed.
std::string pte(M m) {
  const auto change = m.change("pte[*]");
  if (!change) return "";
  return "pte[" + change->captured[0] + "] = " + entry_words(m, change->now);
}

std::string tlb_name(M m) { return "tlb[" + to_string(m.index("cpu").value_or(0)) + "]"; }
std::string tlb_words(M m, const std::string& entry) {
  return "page " + to_string(m.now(entry + ".page")) + ", pfn " + to_string(m.now(entry + ".frame")) +
         (m.now(entry + ".writable") != 0 ? " W" : " RO") +
         (m.now(entry + ".dirty") != 0 ? " dirty" : " clean");
}
std::string fill(M m) { return "TLB: " + tlb_words(m, tlb_name(m)); }

std::string store(M m) {
  const std::string entry = tlb_name(m);
  if (m.now(entry + ".valid") == 0) return "store faults, TLB entry dropped";
  const std::string where = "store to pfn " + to_string(m.now(entry + ".frame"));
  if (m.changed("pte[*]")) return where + ", walk sets dirty: " + pte(m);
  const bool hit = m.now(entry + ".writable") != 0 && m.now(entry + ".dirty") != 0;
  return hit ? where + ", no walk: TLB is dirty" : "store faults";
}
std::string invalidation(M m) {
  const bool x86 = m.trace.subject.arch.starts_with("x86");
  return m.changed("tlb[*].valid") ? std::string(x86 ? "IPI" : "TLBI takes effect") + ": TLB entry dropped"
                                   : "";
}

std::string prot(M m) {
  if (m.action.actor == "fork") {
    const u64 kept = m.now("fork.kept");
    return kept == 0
               ? "fork(): lock mmap"
               : "fork(), page " + std::string(kept == 1 ? "0" : "2") + " under MADV_DONTFORK: lock mmap";
  }
  constexpr std::array names{"PROT_NONE", "PROT_READ", "PROT_READ|PROT_WRITE"};
  return std::string("mprotect(") + names.at(m.index("choice").value_or(0)) + "): lock mmap";
}

std::string either(bool condition, const char* yes, const char* no) { return condition ? yes : no; }
std::string reads_as(M m) {
  if (m.action.actor == "gup") return m.now("gup.backs_off") != 0 ? "pte has changed" : "pte is the same";
  return "batch from page " + to_string(m.now("mprotect.start"));
}
std::string gup(M m) {
  constexpr std::array names{"FOLL_PIN", "FOLL_PIN|FOLL_WRITE", "FOLL_GET|FOLL_WRITE"};
  return std::string(names.at(m.now("gup.foll"))) + ", page " + to_string(m.now("gup.page")) +
         ": irqs off, read pte";
}

std::string batch(M m) {
  return m.changed("mprotect.end") ? "page " + to_string(m.now("mprotect.end") - 1) + " joins the batch"
                                   : "the batch ends before page " + to_string(m.now("mprotect.end"));
}

// ---- the tables ----
constexpr Phrase phrases[] = {
    {"mmap_write_lock", "", prot, opens("mm.writer")},
    {"mmap_write_unlock", "unlock mmap, return", nullptr, closes("mm.writer")},
    {"vma_set_page_prot", "vm_page_prot set"},
    {"pte_offset_map_lock", "lock PTL", nullptr, opens("mm.ptl_held")},
    {"pte_unmap_unlock", "unlock PTL", nullptr, closes("mm.ptl_held")},
    {"ptep_get", "", reads_as},
    {"folio_pte_batch", "", batch},
    {"ptep_get_and_clear", "", pte},
    {"ptep_get_and_clear.load", "",
     [](M m) { return "read pte[" + to_string(m.now("mprotect.start")) + "]"; }},
    {"ptep_get_and_clear.store", "", pte},
    {"folio_maybe_mapped_shared", "",
     [](M m) { return "folio_maybe_mapped_shared() = " + to_string(m.now("folio.mapped_shared")); }},
    {"modify_prot_commit_ptes", "", pte},
    {"copy_present_ptes", "", pte},
    {"child_vmsplice_munmap", "the child takes references by vmsplice(), unmaps"},
    {"child_read", "the pipe is read"},
    {"send_ipis", "send IPIs"},
    {"wait_for_acks", "IPIs done"},
    {"dsb_ishst", "dsb(ishst)"},
    {"dsb_ish", "dsb(ish)"},
    {"tlbi_vale1is", "tlbi vale1is"},
    {"fill", "", fill},
    {"fill_before", "", [](M m) { return "walk sees the old pte, " + fill(m); }},
    {"user_store", "", store},
    {"invalidate_mprotect", "", invalidation},
    {"invalidate_fork", "", invalidation},
    {"invalidate_writeback", "", invalidation},
    {"tlb_gather_mmu", "tlb_flush_pending = 1"},
    {"dec_tlb_flush_pending", "tlb_flush_pending = 0"},
    {"folio_lock", "folio_lock()", nullptr, opens("folio.locked")},
    {"pte_accessible", "", [](M m) { return "pte_accessible() = " + to_string(m.now("rmap.accessible")); }},
    {"set_pte_at", "", pte},
    {"read_batched", "tlb_flush_batched: pending != flushed?"},
    {"cmpxchg_batched", "flushed = pending"},
    {"tlbi_aside1is", "tlbi aside1is"},
    {"tlbi_vale1is_nosync", "tlbi vale1is, no DSB"},
    {"folio_trylock", "folio_trylock(), add_to_swap()", nullptr, opens("folio.locked")},
    {"inc_tlb_flush_batched", "a flush is owed"},
    {"folio_mark_dirty", "folio_mark_dirty()"},
    {"folio_test_dirty", "", [](M m) { return "folio_test_dirty() = " + to_string(m.now("rmap.dirty")); }},
    {"pageout", "pageout(): to swap"},
    {"folio_unlock", "folio_unlock()", nullptr, closes("folio.locked")},
    {"folio_putback_lru", "back on the LRU"},
    {"invalidate_reclaim", "", invalidation},
    {"do_swap_page", "", [](M m) { return "do_swap_page(): " + pte(m); }},
    {"mmap_read_lock", "",
     [](M m) { return "merge page " + to_string(m.now("rmap.page")) + ": mmap_read_lock()"; },
     opens("mm.reader")},
    {"mmap_read_unlock", "mmap_read_unlock()", nullptr, closes("mm.reader")},
    {"folio_ref_count", "",
     [](M m) { return either(m.now("rmap.busy") != 0, "others have a reference", "no other reference"); }},
    {"folio_maybe_dma_pinned", "",
     [](M m) { return either(m.now("rmap.busy") != 0, "pinned", "not pinned"); }},
    {"ClearPageAnonExclusive", "ClearPageAnonExclusive()"},
    {"pages_identical", "",
     [](M m) { return either(m.now("rmap.same") != 0, "pages are identical", "pages differ"); }},
    {"pte_same", "lock PTL, pte_same()", nullptr, opens("mm.ptl_held")},
    {"page_vma_mapped_walk", "lock PTL", nullptr, opens("mm.ptl_held")},
    {"set_pte_at_ksm", "", pte},
    {"invalidate_ksm", "", invalidation},
    {"wp_page_reuse", "", [](M m) { return "wp_page_reuse(): " + pte(m); }},
    {"ptep_get_lockless", "", gup},
    {"try_grab_folio_fast", "take a reference"},
    {"gup_must_unshare", "PageAnonExclusive?"},
    {"gup_put_folio", "back off"},
    {"local_irq_restore", "irqs on"},
    {"read_seqcount_retry", "",
     [](M m) { return either(m.now("gup.holds") != 0, "no fork", "fork has begun: unpin"); }},
    {"return", "return the page"},
    {"unpin_user_page", "give the page back"},
    {"raw_write_seqcount_begin", "write_protect_seq is odd"},
    {"raw_write_seqcount_end", "write_protect_seq is even"},
    {"folio_try_dup_anon_rmap_ptes", "",
     [](M m) { return either(m.changed("fork.kept"), "pinned: copy it", "not pinned"); }},
    {"writepage", "write the folio out, folio_unlock()", nullptr, closes("folio.locked")},
    {"wp_page_shared", "", [](M m) { return "wp_page_shared(), page_mkwrite(): " + pte(m); }},
};

std::string served(const Action& a) {
  constexpr std::string_view prefix = "invalidate_";
  return a.step.starts_with(prefix) ? a.step.substr(prefix.size()) : "";
}
// A walk that reads the word before a store not yet visible could have come before the store.
std::string plainer(const Action& a) { return a.step == "fill_before" ? "fill" : ""; }

// The TLB entry, or the page table's, that breaks the claim.
std::string culprit(const Trace& t, const std::function<std::string(u64)>& cpu) {
  if (t.ending != Trace::Ending::violated || t.steps.empty()) return "";
  const Moment m(t, t.steps.size() - 1);
  for (const char* c : {"0", "1"}) {
    const std::string entry = std::string("tlb[") + c + "]", frame = to_string(m.now(entry + ".frame"));
    if (m.now(entry + ".valid") == 0) continue;
    const bool bad = t.predicate == "stale" || (t.predicate == "excess" && m.now(entry + ".writable") != 0 &&
                                                m.now("ghost.other[" + frame + "]") != 0);
    if (bad) return cpu(std::stoull(c)) + " can use its TLB entry: " + tlb_words(m, entry) + ".";
  }
  return "";
}

// ---- groups ----
using Captured = const std::vector<std::string>&;
std::string entry_name(Captured page, const CpuName&) { return "pte[" + page[0] + "]"; }
std::string slot_name(Captured at, const CpuName& cpu) { return cpu(std::stoull(at[0])); }
std::string frame_name(Captured frame, const CpuName&) { return "pfn " + frame[0]; }
std::string storing(u64 mask) {
  constexpr std::array names{"mprotect", "fork", "its writeback, reclaim or KSM", "a fault"};
  std::string text;
  for (unsigned k = 0; k < names.size(); ++k)
    if ((mask & bit(k)) != 0) text += (text.empty() ? "" : ", ") + std::string(names[k]);
  return text.empty() ? "nobody" : text;
}
std::string right(u64 value) {
  constexpr std::array names{"PROT_NONE", "PROT_READ", "PROT_READ|PROT_WRITE"};
  return value < names.size() ? names[value] : to_string(value);
}
constexpr Group groups[] = {{"pte[*]", "Page table", entry_name},
                            {"pte[*].lagging", "Page table", entry_name, storing},
                            {"pte[*].before", "Page table", entry_name, nullptr, "lagging"},
                            {"tlb[*].*", "TLBs", slot_name, nullptr, "valid"},
                            {"mm.writer", "Locks"},
                            {"mm.reader", "Locks"},
                            {"mm.ptl_held", "Locks"},
                            {"mm.prot", "mm", nullptr, right},
                            {"mm.*", "mm"},
                            {"folio.exclusive[*]", "Folio", frame_name},
                            {"folio.*", "Folio"},
                            {"ghost.*", "History that the code does not see"},
                            {"ghost.*[*]", "History that the code does not see"}};

}  // namespace

const Voice& voice() {
  static const Voice all{phrases, {}, culprit, served, plainer, groups};
  return all;
}

}  // namespace ptmc::mprotect
