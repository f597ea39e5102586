// Reclaim's unmapping of pages (seed 004), a batch of SWAP_CLUSTER_MAX at a time, over entries in memory.
#include "checker/native/calls.hpp"
#include "checker/native/published.hpp"
#include "checker/native/subjects.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/batched_unmap/machine.hpp"
#include "properties/batched_unmap/tariff.hpp"

namespace ptmc::native {
namespace {

using batched_unmap::KnobId;

constexpr u64 swap_cluster_max = 32;  // include/linux/swap.h.

struct Unmap {
  using Arch = X86_64;
  static constexpr u64 per_call = swap_cluster_max;
  using B = mm::Bounds<Arch, 1, per_call, per_call, 15>;
  template <class D>
  using State = batched_unmap::State<D, B>;
  static constexpr const auto& actor() { return batched_unmap::Reclaim<B>::sequence_; }
  static constexpr std::array<u64, 1> choices{0};  // Takes every page; nothing nested.

  static void prepare(auto&) {}
  /// Mapped again: what faults would do.
  static void begin(auto& s, u64) {
    for (u64 f = 0; f < B::frames; ++f) s.frame[f].refs = 1;
    s.mm.pending = 0;
  }
  static u64 batch_after(const char*, const auto&) { return 0; }
  static Config config(u64 defer) {
    Config c;
    c.bound[static_cast<unsigned>(By::cpu)] = 1;
    c.bound[static_cast<unsigned>(By::frame)] = B::frames;
    c.knob[static_cast<unsigned>(KnobId::defer)] = static_cast<u8>(defer);
    return c;
  }
};

/// The same in loops, as mm/vmscan.c and mm/rmap.c have them; folios that nobody else uses, clean.
class UnmapByHand {
 public:
  explicit UnmapByHand(u64 defer) : defer_(defer) {}

  void operator()(Entry* table, u64 entries, Flush flush) const {
    for (u64 at = 0; at < entries; at += swap_cluster_max)
      shrink(table + at, std::min(swap_cluster_max, entries - at), flush);
  }

 private:
  using A = Unmap::Arch;
  struct Folio {
    u32 refs = 1;
    bool isolated = false, dirty = false, swap_cache = false;
  };

  void shrink(Entry* pte, u64 n, Flush flush) const {
    std::array<Folio, swap_cluster_max> folio;
    bool flush_required = false;
    for (u64 v = 0; v < n; ++v) {
      Folio& f = folio[A::pte_pfn(u64{pte[v]}) % swap_cluster_max];
      f.isolated = true;
      ++f.refs;
      const u64 old = pte[v].exchange(0);
      const bool accessible = defer_ == batched_unmap::batched_always || A::pte_accessible(old, false);
      if (accessible && defer_ == batched_unmap::eager) flush_by_hand(flush);
      flush_required = flush_required || (accessible && defer_ != batched_unmap::eager);
      f.dirty = f.dirty || A::pte_dirty(old);
      pte[v] = A::swap_entry;
      f.swap_cache = true;
      --f.refs;
      f.swap_cache = f.dirty;
    }
    if (flush_required) flush_by_hand(flush);
    for (u64 v = 0; v < n; ++v) folio[v].isolated = --folio[v].refs != 0;
  }

  u64 defer_;
};

template <u64 prot>
void fill(Entry* table, u64 entries, u64) {
  for (u64 v = 0; v < entries; ++v) table[v] = X86_64::pfn_pte(v % swap_cluster_max, prot);
}

Subject subject_of(const char* name, const char* sentence, void (*fill_table)(Entry*, u64, u64)) {
  const Tariff& tariff = batched_unmap::tariff(true);
  Subject s{.name = name,
            .arch = "x86_64",
            .sentence = sentence,
            .per_call = Unmap::per_call,
            .changes = 1,
            .repeatable = false,
            .folios = {1},
            .sizes = {32, 512, 16384, 262144},
            .ways = {},
            .fill = fill_table,
            .tariff = &tariff,
            .published = published_004,
            .machine = "deferred_flush"};
  const std::pair<const char*, u64> ways[] = {{"eager", batched_unmap::eager},
                                              {"batched", batched_unmap::batched_always},
                                              {"skip", batched_unmap::skip_inaccessible}};
  for (const auto& [way, defer] : ways) {
    const Config config = Unmap::config(defer);
    s.ways.push_back({way, steps_of<Unmap>(config), UnmapByHand(defer), counts_of<Unmap>(config, tariff)});
  }
  return s;
}

}  // namespace

std::vector<Subject> deferred_flush_subjects() {
  return {subject_of("unmap", "reclaim unmaps clean pages that may be accessed", fill<X86_64::page_shared>),
          subject_of("unmap-protnone", "reclaim unmaps clean pages after mprotect(PROT_NONE)",
                     fill<X86_64::page_none>)};
}

}  // namespace ptmc::native
