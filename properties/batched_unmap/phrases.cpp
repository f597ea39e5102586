#include "properties/batched_unmap/phrases.hpp"

#include <array>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/batched_unmap/groups.hpp"

namespace ptmc::batched_unmap {
namespace {

using M = const Moment&;
using std::to_string;

template <class Arch>
std::string words(u64 e) {
  if (Arch::pte_none(e)) return "0";
  const std::string frame = "pfn " + to_string(Arch::pte_pfn(e));
  if (Arch::pte_present(e)) {
    const std::string young = Arch::pte_young(e) ? "" : " old";
    if (Arch::pte_protnone(e)) return "PROT_NONE" + young;
    return frame + (Arch::pte_write(e) ? " RW" : " RO") + (Arch::pte_dirty(e) ? " dirty" : " clean") + young;
  }
  const u64 leaf = Arch::pte_to_swp_entry(e);
  if (!Arch::is_migration_entry(leaf)) return "swap entry";
  return std::string(Arch::is_writable_migration_entry(leaf) ? "writable" : "readable") + " migration entry";
}

// ---- the parts of a phrase ----
bool x86(M m) { return m.trace.subject.arch.starts_with("x86"); }

// "[1]" if there are several pages.
std::string page(M m, const std::string& index) {
  for (const Field& f : m.after)
    if (f.name.starts_with("pte[1]")) return "[" + index + "]";
  return "";
}

// "pte = 0", "pte[1] = swap entry"; "" if no entry changed.
std::string pte(M m) {
  const auto change = m.change("pte[*]");
  if (!change) return "";
  return "pte" + page(m, change->captured[0]) + " = " + entry_words(m.trace.subject.arch, change->now);
}

// `entry`: "tlb[1][0]".
std::string tlb_words(M m, const std::string& entry) {
  return "pfn " + to_string(m.now(entry + ".frame")) + (m.now(entry + ".writable") != 0 ? " RW" : " RO") +
         (m.now(entry + ".dirty") != 0 ? " dirty" : " clean");
}
std::string tlb_name(M m) {
  return "tlb[" + to_string(m.index("cpu").value_or(0)) + "][" + to_string(m.index("page").value_or(0)) + "]";
}

std::string now(M m, const char* field) { return to_string(m.now(field)); }

// The block that a flush is made in: "tlb_flush_mmu" of ".../tlb_flush_mmu/send_ipis".
std::string caller(M m) {
  const std::string path = m.action.step.substr(0, m.action.step.rfind('/'));
  return path.find('/') == std::string::npos ? "" : path.substr(path.rfind('/') + 1) + "(): ";
}

std::string freed(M m) {
  const auto change = m.change("frame[*].refs");
  if (!change) return "";
  return (change->now == 0 ? "free pfn " : "put pfn ") + change->captured[0];
}

std::string fill(M m) {
  return "TLB" + page(m, to_string(m.index("page").value_or(0))) + ": " + tlb_words(m, tlb_name(m));
}

std::string store(M m) {
  const std::string entry = tlb_name(m);
  if (m.now(entry + ".valid") == 0) return "store faults, TLB entry dropped";
  const std::string where = "store to pfn " + to_string(m.now(entry + ".frame"));
  if (m.changed("pte[*]")) return where + ", walk sets dirty: " + pte(m);
  if (m.changed(entry + ".*")) return where + ", new walk: " + fill(m);
  const bool hit = m.now(entry + ".writable") != 0 && m.now(entry + ".dirty") != 0;
  return hit ? where + ", no walk: TLB is dirty" : "store faults";
}

// Silent where the CPU has nothing cached.
std::string invalidation(M m) {
  const std::string cpu = "tlb[" + to_string(m.index("cpu").value_or(0)) + "]";
  const std::string how = x86(m) ? "IPI" : "TLBI takes effect";
  if (m.changed(cpu + "[*].valid")) return how + ": TLB entry dropped";
  for (const Field& f : m.after)
    if (f.value != 0 && f.name.starts_with(cpu) && f.name.ends_with(".valid"))
      return how + ": flush_tlb_func() takes generation 0 for old, TLB entry stays";
  return "";
}

std::string prot(M m) {
  constexpr std::array names{"PROT_NONE", "PROT_READ", "PROT_READ|PROT_WRITE"};
  return names.at(m.index("choice").value_or(0));
}

std::string accessible(M m) {
  if (m.changed("*.skipped")) return "pte_accessible() = false, no flush";
  return "pte_accessible()";
}

// The page table whose lock changes hands.
std::string table(M m) {
  const auto change = m.change("ptl[*]");
  return change ? page(m, change->captured[0]) : "";
}

// ---- the tables ----
constexpr Title titles[] = {{"change_prot_numa", "NUMA"},
                            {"madvise_dontneed", "DONTNEED"},
                            {"nested_reclaim", ""},
                            {"move", "remove_migration_ptes"},
                            {"undo", "remove_migration_ptes"}};

constexpr Phrase phrases[] = {
    {"pte_offset_map_lock", "", [](M m) { return "lock PTL" + table(m); }, opens("ptl[*]")},
    {"pte_unmap_unlock", "", [](M m) { return "unlock PTL" + table(m); }, closes("ptl[*]")},
    // reclaim and migration
    {"folio_isolate_lru", "",
     [](M m) {
       const auto change = m.change("frame[*].isolated");
       if (!change) return std::string();
       const std::string text = "isolate pfn " + change->captured[0];
       for (const std::string& mutation : m.trace.subject.mutations)
         if (mutation.ends_with("=before-ptl"))
           return text + ", reads tlb_flush_pending = " + now(m, "mm.flush_pending");
       return text;
     }},
    {"ptep_get_and_clear", "", pte},
    {"ptep_get_and_clear.load", "read pte"},
    {"ptep_get_and_clear.store", "", pte},
    {"pte_accessible", "", accessible},
    {"inc_mm_tlb_gen", "tlb_gen++"},
    {"inc_tlb_flush_batched", "",
     [](M m) {
       const bool wraps = m.now("mm.pending") < m.was("mm.pending");
       return "batch pending = " + now(m, "mm.pending") + (wraps ? " (wraps)" : "");
     }},
    {"folio_mark_dirty", "",
     [](M m) { return m.changed("frame[*].dirty") ? std::string("folio dirty") : std::string(); }},
    {"set_pte_at_swap", "", pte},
    {"set_pte_at_migration", "", pte},
    {"folio_test_dirty", ""},
    {"pageout", "pageout()"},
    {"remove_mapping", "__remove_mapping()"},
    {"nested_reclaim/enter", "",
     [](M m) {
       if (m.changed("reclaim.flush_required")) return std::string("nested reclaim resets tlb_ubc");
       return std::string(m.index("choice") == 1 ? "nested reclaim" : "");
     }},
    {"free_folio", "", freed},
    {"migrate_pages", "",
     [](M m) {
       return std::string(m.index("choice") == 1 ? "migrate_pages(), to be undone" : "migrate_pages()");
     }},
    {"folio_copy", "", [](M m) { return "folio_copy() to pfn " + to_string(m.index("choice").value_or(0)); }},
    {"remove_migration_pte", "", pte},
    {"put_dst", ""},
    {"putback", "", freed},
    {"return", "migrate_pages() returns"},
    // aging
    {"ptep_test_and_clear_young", "", pte},
    // mprotect, NUMA scan, zap
    {"mmap_write_lock", "", [](M m) { return "mprotect(" + prot(m) + "): lock mmap"; }, opens("mm.writer")},
    {"mmap_write_unlock", "unlock mmap, return", nullptr, closes("mm.writer")},
    {"mmap_read_lock", "mmap_read_lock()", nullptr, opens("mm.readers")},
    {"mmap_read_unlock", "",
     [](M m) {
       const bool zap = m.action.actor.starts_with("madvise");
       return std::string(zap ? "mmap_read_unlock(), return" : "mmap_read_unlock()");
     },
     closes("mm.readers")},
    {"tlb_gather_mmu", "", [](M m) { return "tlb_flush_pending = " + now(m, "mm.flush_pending"); }},
    {"dec_tlb_flush_pending", "", [](M m) { return "tlb_flush_pending = " + now(m, "mm.flush_pending"); }},
    {"vma_set_page_prot", "vm_page_prot set"},
    {"read_batched", ""},
    {"cmpxchg_batched", "", [](M m) { return "batch flushed = " + now(m, "mm.flushed"); }},
    {"ptep_modify_prot_start", "",
     [](M m) { return m.changed("pte[*]") ? pte(m) : std::string("pte not present"); }},
    {"ptep_modify_prot_commit", "", pte},
    {"change_migration_entry", "", pte},
    {"ptep_get_and_clear_full", "",
     [](M m) { return m.changed("pte[*]") ? pte(m) : std::string("pte is none"); }},
    {"mm_tlb_flush_nested", "",
     [](M m) {
       return m.changed("*.changed") || m.changed("*[*].changed") ? std::string("nested: flush all")
                                                                  : std::string();
     }},
    {"free_pages_and_swap_cache", "", freed},
    // flushes
    {"send_ipis", "", [](M m) { return caller(m) + "send IPIs"; }},
    {"wait_for_acks", "IPIs done"},
    {"dsb_ishst", "dsb(ishst)"},
    {"dsb_ish", "dsb(ish)"},
    {"tlbi_vale1is_nosync", "tlbi vale1is, no dsb"},
    {"tlbi_vale1is", "tlbi vale1is"},
    {"tlbi_aside1is", "tlbi aside1is"},
    // CPUs and faults
    {"fill", "", fill},
    {"fill_before", "", [](M m) { return "walk sees the old pte, " + fill(m); }},
    {"user_store", "", store},
    {"do_anonymous_page", "", [](M m) { return "do_anonymous_page(): " + pte(m); }},
    {"do_swap_page", "", [](M m) { return "do_swap_page(): " + pte(m); }},
    {"do_numa_page", "", [](M m) { return "do_numa_page(): " + pte(m); }},
    {"do_wp_page", "", [](M m) { return "do_wp_page(): " + pte(m); }},
    {"set_young", "", [](M m) { return "access flag fault: " + pte(m); }},
    {"enter_lazy_tlb", "enter_lazy_tlb()"},
    {"leave_lazy_tlb", "leaves lazy TLB mode"},
    {"invalidate_reclaim", "", invalidation},
    {"invalidate_migrate", "", invalidation},
    {"invalidate_aging", "", invalidation},
    {"invalidate_mprotect", "", invalidation},
    {"invalidate_numa", "", invalidation},
    {"invalidate_zap", "", invalidation},
    {"alloc_foreign", "",
     [](M m) { return "pfn " + to_string(m.index("frame").value_or(0)) + " allocated to another process"; }},
    {"foreign_store", "",
     [](M m) { return "its owner stores to pfn " + to_string(m.index("frame").value_or(0)); }},
    {"free_foreign", "",
     [](M m) { return "pfn " + to_string(m.index("frame").value_or(0)) + " freed by its owner"; }},
};

// ---- what the machine does for others ----
std::string served(const Action& a) {
  constexpr std::string_view prefix = "invalidate_";
  if (!a.step.starts_with(prefix)) return "";
  const std::string who = a.step.substr(prefix.size());
  return who == "numa" ? "change_prot_numa" : who == "zap" ? "madvise_dontneed" : who;
}

// A walk that reads the word before a store not yet visible could have come before the store.
std::string plainer(const Action& a) { return a.step == "fill_before" ? "fill" : ""; }

// ---- what breaks the claim ----
// The store that nobody will find: the last one.
std::string lost_store(const Trace& t, const std::function<std::string(u64)>& cpu) {
  for (std::size_t k = t.steps.size(); k-- > 0;) {
    const Moment m(t, k);
    if (m.action.step == "user_store")
      return "The lost store went through the TLB entry of " + cpu(m.index("cpu").value_or(0)) + ": " +
             tlb_words(m, tlb_name(m)) + ".";
  }
  return "";
}

// How wrong a TLB entry is: its frame is not this mm's, the page is elsewhere or nowhere, none of these.
unsigned wrongness(M m, const std::string& entry) {
  const u64 frame = m.now(entry + ".frame");
  if (m.now("frame[" + to_string(frame) + "].refs") == 0) return 3;
  const std::string mapped = entry_words(m.trace.subject.arch, m.now("pte" + entry.substr(entry.rfind('['))));
  return mapped.starts_with("pfn " + to_string(frame) + " ") ? 1 : 2;
}

// The TLB entry that is most wrong in the last state.
std::string culprit(const Trace& t, const std::function<std::string(u64)>& cpu) {
  if (t.ending != Trace::Ending::violated || t.steps.empty()) return "";
  if (t.predicate == "lost") return lost_store(t, cpu);
  const Moment m(t, t.steps.size() - 1);
  std::string worst;
  for (const Field& f : m.after) {
    if (!f.name.starts_with("tlb[") || !f.name.ends_with(".valid") || f.value == 0) continue;
    const std::string entry = f.name.substr(0, f.name.rfind('.'));
    if (worst.empty() || wrongness(m, entry) > wrongness(m, worst)) worst = entry;
  }
  if (worst.empty()) return "";
  const std::string frame = to_string(m.now(worst + ".frame")), name = "frame[" + frame + "]";
  const bool foreign = m.now(name + ".foreign") != 0, owned = m.now(name + ".refs") != 0;
  return cpu(std::stoul(worst.substr(4))) + " can still use its TLB entry: " + tlb_words(m, worst) +
         (foreign  ? "; pfn " + frame + " is another process's."
          : !owned ? "; pfn " + frame + " is free."
                   : ".");
}

}  // namespace

std::string entry_words(const std::string& arch, u64 entry) {
  return arch.starts_with("x86") ? words<X86_64>(entry) : words<Arm64>(entry);
}

const Voice& voice() {
  static const Voice all{phrases, titles, culprit, served, plainer, groups()};
  return all;
}

}  // namespace ptmc::batched_unmap
