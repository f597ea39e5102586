#include "properties/contpte/phrases.hpp"

#include <array>

#include "model/arch/arm64.hpp"

namespace ptmc::contpte {
namespace {

using M = const Moment&;
using std::to_string;

std::string words(u64 e) {
  if (Arm64::pte_none(e)) return "0";
  if (!Arm64::pte_present(e)) return "swap entry";
  std::string text = Arm64::pte_protnone(e) ? "PROT_NONE" : "pfn " + to_string(Arm64::pte_pfn(e));
  if (Arm64::pte_cont(e)) text += " CONT";
  if (!Arm64::pte_protnone(e)) text += Arm64::pte_write(e) ? " RW" : " RO";
  text += Arm64::pte_dirty(e) ? " dirty" : " clean";
  return text + (Arm64::pte_young(e) ? "" : " old");
}
// "pte[1] = pfn 1 RO clean"; "" if no entry changed.
std::string pte(M m) {
  const auto change = m.change("pte[*]");
  return change ? "pte[" + change->captured[0] + "] = " + words(change->now) : "";
}
std::string tlb_words(M m) {
  const bool block = m.now("tlb.block") != 0;
  return (block ? std::string("block of 4") : "page " + to_string(m.now("ghost.watched"))) +
         (!block && m.now("tlb.cont") != 0 ? " (of CONT)" : "") +
         (m.now("tlb.copy") != 0 ? ", the copy," : "") + (m.now("tlb.writable") != 0 ? " W" : " RO") +
         (m.now("tlb.dirty") != 0 ? " dirty" : " clean");
}
std::string fill(M m) {
  return "TLB: " + tlb_words(m) + ", by pte[" + to_string(m.index("page").value_or(0)) + "]";
}
std::string before(M m) { return "walk sees the old pte, " + fill(m); }
std::string walk_store(M m) {
  const std::string where = "store to page " + to_string(m.now("ghost.watched")), set = pte(m);
  return set.empty() ? where : where + ", walk sets dirty: " + set;
}
std::string invalidation(M m) { return m.changed("tlb.valid") ? "TLBI takes effect: TLB entry dropped" : ""; }
std::string call(M m) {
  if (m.action.actor == "fork") return "fork(): lock mmap";
  constexpr std::array names{"PROT_READ", "PROT_READ|PROT_WRITE", "PROT_NONE"};
  return std::string("mprotect(") + names.at(m.index("choice").value_or(0)) + "): lock mmap";
}
std::string set_flags(M m) {
  const std::string set = pte(m);
  return set.empty() ? "" : "ptep_set_access_flags: " + set;
}
// Whose page, where a fault takes the lock.
std::string lock_ptl(M m) {
  const std::string& actor = m.action.actor;
  if (actor == "reclaim") return "lock PTL";
  if (actor == "copy") return "write fault on page 1, which others use: lock PTL";
  if (actor == "fault") return "write fault on page " + to_string(m.now("fault.page")) + ": lock PTL";
  if (actor != "map") return "lock PTL";
  const u64 first = m.now("map.page"), end = m.now("map.batch");
  return "fault on page " + to_string(first) + (end == first + 1 ? "" : ", all mapped") + ": lock PTL";
}

// What a lock-free reader sees.
std::string lockless_get(M m) {
  if (m.action.actor != "lockless") return "";
  return "read pte[" + to_string(m.now("lockless.page")) + "], " + words(m.now("lockless.old"));
}
std::string gathers(M m) {
  return m.now("lockless.same") != 0 ? "gather " + words(m.now("lockless.old")) : "another block";
}
std::string lockless_return(M m) { return "return " + words(m.was("lockless.old")); }
std::string swap_in(M m) {
  const u64 first = m.now("swapin.page");
  const std::string which = m.now("swapin.batch") == first + 1 ? "" : ", all of the folio";
  return "do_swap_page() of page " + to_string(first) + which + ": lock folio, PTL";
}

constexpr Phrase phrases[] = {
    {"mmap_write_lock", "", call, opens("mm.writer")},
    {"mmap_write_unlock", "unlock mmap, return", nullptr, closes("mm.writer")},
    {"mmap_lock", "", [](M m) { return std::string(m.now("mm.writer") != 0 ? "munmap()" : "MADV_DONTNEED"); },
     opens("mm.writer")},
    {"mmap_unlock", "return: pages are free", nullptr, closes("mm.writer")},
    {"pte_offset_map_lock", "", lock_ptl, opens("mm.ptl_held")},
    {"pte_unmap_unlock", "unlock PTL", nullptr, closes("mm.ptl_held")},
    {"page_vma_mapped_walk", "lock PTL", nullptr, opens("mm.ptl_held")},
    {"page_vma_mapped_walk_done", "unlock PTL", nullptr, closes("mm.ptl_held")},
    {"folio_trylock", "lock folio", nullptr, opens("mm.folio_locked")},
    {"check_pte", ""},
    {"pte_accessible", "",
     [](M m) { return std::string(m.now("reclaim.accessible") != 0 ? "" : "not accessible"); }},
    {"tlbi_vale1is_nosync", "tlbi vale1is"},
    {"inc_tlb_flush_batched", ""},
    {"swap_duplicate", "",
     [](M m) { return std::string(m.now("reclaim.fails") != 0 ? "swap_duplicate() fails" : ""); }},
    {"set_pte_at", "", pte},
    {"pageout", "write folio to swap"},
    {"__remove_mapping", "",
     [](M m) {
       return std::string(m.now("reclaim.keeps") != 0 ? "__remove_mapping() fails: keep folio"
                                                      : "__remove_mapping()");
     }},
    {"folio_unlock", "unlock folio", nullptr, closes("mm.folio_locked")},
    {"free_unref_folios", "free folio", nullptr, closes("mm.folio_locked")},
    {"do_swap_page", "", swap_in, opens("mm.ptl_held")},
    {"tlb_gather_mmu", "tlb_flush_pending = 1"},
    {"dec_tlb_flush_pending", "tlb_flush_pending = 0"},
    {"read_batched", "",
     [](M m) { return std::string(m.now("mprotect.drains") != 0 ? "batch is pending" : ""); }},
    {"cmpxchg_batched", "batch done"},
    {"mmap_read_lock", "",
     [](M m) { return std::string(m.index("choice").value_or(0) == 0 ? "MADV_FREE" : "MADV_COLD"); }},
    {"mmap_read_unlock", "return"},
    {"clear_young_dirty_pte", "", pte},
    {"clear_young_dirty_pte.load", "read an entry"},
    {"clear_young_dirty_pte.store", "", pte},
    {"contpte_ptep_get_lockless", "", gathers},
    {"retry", "retry"},
    {"return", "", lockless_return},
    {"contpte_ptep_get", ""},
    {"ptep_get", "", lockless_get},
    {"ptep_get_and_clear", "", pte},
    {"set_pte", "", pte},
    {"ptep_set_wrprotect", "", pte},
    {"ptep_set_wrprotect.load", "read an entry"},
    {"ptep_set_wrprotect.store", "", pte},
    {"ptep_test_and_clear_young", "", pte},
    {"ptep_test_and_clear_young.load", "read an entry"},
    {"ptep_test_and_clear_young.store", "", pte},
    {"ptep_set_access_flags", "", set_flags},
    {"folio_mark_dirty", ""},
    {"dsb_ishst", "dsb(ishst)"},
    {"dsb_ish", "dsb(ish)"},
    {"tlbi_vale1is", "tlbi vale1is"},
    {"tlbi_aside1is", "tlbi aside1is"},
    {"tlbi_rvale1is", "tlbi rvale1is"},
    {"fill", "", fill},
    {"fill_block", "", fill},
    {"fill_before", "", before},
    {"fill_block_before", "", before},
    {"user_store", "",
     [](M m) { return "store to page " + to_string(m.now("ghost.watched")) + ", no walk"; }},
    {"walk_store", "", walk_store},
    {"walk_store_beside", "", [](M m) { return "store beside it, walk sets dirty: " + pte(m); }},
    {"walk", "", [](M m) { return "walk: " + pte(m); }},
    {"invalidate_mprotect", "", invalidation},
    {"invalidate_fork", "", invalidation},
    {"invalidate_zap", "", invalidation},
    {"invalidate_copy", "", invalidation},
    {"invalidate_fault", "", invalidation},
    {"invalidate_aging", "", invalidation},
    {"invalidate_map", "", invalidation},
    {"invalidate_reclaim", "", invalidation},
    {"invalidate_swapin", "", invalidation},
    {"invalidate_madvise", "", invalidation},
};

std::string served_actor(const Action& a) {
  constexpr std::string_view prefix = "invalidate_";
  return a.step.starts_with(prefix) ? a.step.substr(prefix.size()) : "";
}
std::string plainer(const Action& a) {
  return a.step == "fill_before" ? "fill" : a.step == "fill_block_before" ? "fill_block" : "";
}
std::string culprit(const Trace& t, const CpuName&) {
  if (t.ending != Trace::Ending::violated || t.steps.empty()) return "";
  const Moment m(t, t.steps.size() - 1);
  const std::string page = to_string(m.now("ghost.watched")), entry = "pte[" + page + "]";
  if (t.predicate == "done" && m.now("ghost.served") == 0) return entry + " is " + words(m.now(entry)) + ".";
  if (t.predicate == "done" && m.now("tlb.valid") != 0 && m.now("tlb.writable") == 0)
    return "A TLB entry still refuses what the fault was for: " + tlb_words(m) + "; " + entry + " is " +
           words(m.now(entry)) + ".";
  if (t.predicate == "done") {
    std::string others;
    for (u64 v = 0; v < 4; ++v) {
      const u64 word = m.now("pte[" + to_string(v) + "]");
      if (to_string(v) != page && Arm64::pte_dirty(word))
        others += ", pte[" + to_string(v) + "] " + words(word);
    }
    return "A walker that sets no D finds " + entry + " " + words(m.now(entry)) + others + ".";
  }
  if (m.now("tlb.valid") == 0 || t.predicate == "excess" || t.predicate == "lost") return "";
  const std::string uses = "A CPU can use its TLB entry: " + tlb_words(m);
  return uses + (t.predicate == "bbm" ? "; " + entry + " is " + words(m.now(entry)) + "." : ".");
}

using Captured = const std::vector<std::string>&;
std::string entry_name(Captured page, const CpuName&) { return "pte[" + page[0] + "]"; }
constexpr Group groups[] = {{"pte[*]", "Page table", entry_name},
                            {"pte[*].lagging", "Page table", entry_name},
                            {"pte[*].before", "Page table", entry_name, nullptr, "lagging"},
                            {"tlb.*", "TLB", nullptr, nullptr, "valid"},
                            {"mm.*", "Locks"},
                            {"ghost.*", "History that the code does not see"}};

}  // namespace

const Voice& voice() {
  static const Voice all{phrases, {}, culprit, served_actor, plainer, groups};
  return all;
}

std::string sentence_of(const Instance& i) {
  const std::string name = i.name;
  if (name == "H4-fold")
    return "the kernel as it is: mprotect of a block of single entries makes it CONT without a flush in "
           "between";
  if (name == "H4-split")
    return "the kernel as it is: mprotect splits a CONT block by AnonExclusive without a flush in between";
  if (name == "swap-refault")
    return "the kernel as it is: reclaim keeps a folio that it has unmapped, and a fault maps it again "
           "before the flush";
  if (name == "reclaim-aborts")
    return "mprotect and a reclaim that may find no swap slot and leave part of a block: nothing bbm, stale, "
           "excess, "
           "reach, lost, and all done";
  if (name == "zap-refault")
    return "the kernel as it is: MADV_DONTNEED of a CONT block, and a fault maps one page before its flush";
  if (name == "smmu")
    return "an SMMU without HTTU beside CPUs with HA and HD, fork and its faults: it loses no store and gets "
           "no right, "
           "and no fault comes back for ever";
  const std::string part = i.range == whole ? "a whole block" : "part of a block";
  return std::string(i.call) + (i.other != nullptr ? std::string(" and ") + i.other : "") + ", " + part +
         ": nothing bbm, stale, excess, reach, lost, and all done";
}

}  // namespace ptmc::contpte
