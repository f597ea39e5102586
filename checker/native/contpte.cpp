// mprotect over contiguous blocks of arm64 (seed 000), 16 entries each, in memory.
#include "checker/native/calls.hpp"
#include "checker/native/published.hpp"
#include "checker/native/subjects.hpp"
#include "model/opt/contpte/machine.hpp"
#include "properties/contpte/tariff.hpp"

namespace ptmc::native {
namespace {

using contpte::KnobId;

/// A folded block, every page exclusive, written: protected, and writable again.
struct Block {
  static constexpr u64 per_call = 16;
  using B = contpte::Bounds<Arm64, per_call>;
  template <class D>
  using State = contpte::State<D, B>;
  static constexpr const auto& actor() { return contpte::Mprotect<B>::sequence_; }
  static constexpr std::array<u64, 2> choices{0, 1};  // PROT_READ; PROT_READ|PROT_WRITE.

  static void prepare(auto&) {}
  static void begin(auto&, u64) {}
  static u64 batch_after(const char* step, const auto& s) {
    return std::string_view(step) == "pte_modify" ? s.mprotect.stop - s.mprotect.page : 0;
  }
  /// `bbm2`: without the flush in the middle of a conversion.
  static Config config(u64 variant, bool bbm2) {
    Config c;
    for (const arm::Feature f : {arm::Feature::ha, arm::Feature::hd, arm::Feature::range_tlbi})
      c.features |= bit(static_cast<unsigned>(f));
    if (bbm2) c.features |= bit(static_cast<unsigned>(arm::Feature::bbm2));
    c.bound[static_cast<unsigned>(By::cpu)] = 1;
    c.bound[static_cast<unsigned>(By::slot)] = 1;  // One sub-batch: every page is exclusive.
    c.knob[static_cast<unsigned>(KnobId::change_pte_range)] = static_cast<u8>(variant);
    return c;
  }
};

/// The same in loops, as arch/arm64/mm/contpte.c and mm/mprotect.c have them.
class BlockByHand {
 public:
  BlockByHand(bool batches, bool bbm2) : batches_(batches), bbm2_(bbm2) {}

  void operator()(Entry* table, u64 entries, Flush flush) const {
    for (const bool writable : {false, true})
      for (u64 at = 0; at < entries; at += n) {
        if (batches_)
          protect(table + at, writable);
        else
          for (u64 page = 0; page < n; ++page) protect_one(table + at, page, writable, flush);
        flush_by_hand(flush);  // The gather's.
      }
  }

 private:
  using A = Arm64;
  using Words = mprotect::Decide<A>;
  static constexpr u64 n = 16;

  static u64 fold_all(u64 word, const Entry* pte) {
    for (u64 v = 0; v < n; ++v) word = Words::fold(word, pte[v]);
    return word;
  }
  static u64 aligned(u64 word) { return A::pfn_pte(A::pte_pfn(word) & ~(n - 1), A::pte_pgprot(word)); }
  static u64 changed(u64 old, bool writable) {
    const u64 word = A::pte_mknoncont(A::pte_modify(old, A::page_readonly));
    return writable ? A::pte_mkwrite(word) : word;
  }

  void convert(Entry* pte, u64 first, Flush flush) const {
    for (u64 v = 0; v < n; ++v) first = Words::fold(first, pte[v].exchange(0));
    if (!bbm2_) flush_by_hand(flush);
    for (u64 v = 0; v < n; ++v) pte[v] = A::pte_advance_pfn(first, v);
  }
  void try_unfold(Entry* pte, u64 page, Flush flush) const {
    const u64 word = pte[page];
    if (A::pte_valid_cont(word)) convert(pte, aligned(A::pte_mknoncont(word)), flush);
  }
  void try_fold(Entry* pte, u64 page, u64 word, Flush flush) const {
    if (page + 1 != n || (A::pte_pfn(word) & (n - 1)) != n - 1 || !A::pte_valid(word)) return;
    const u64 expected = aligned(A::pte_mkold(A::pte_mkclean(word)));
    for (u64 v = 0; v < n; ++v)
      if (A::pte_mkold(A::pte_mkclean(pte[v])) != A::pte_advance_pfn(expected, v)) return;
    convert(pte, aligned(A::pte_mkcont(word)), flush);
  }
  void protect_one(Entry* pte, u64 page, bool writable, Flush flush) const {
    u64 old = pte[page];
    if (A::pte_valid_cont(old)) old = fold_all(old, pte);
    try_unfold(pte, page, flush);
    old = pte[page].exchange(0);
    const u64 word = changed(old, writable);
    try_unfold(pte, page, flush);
    pte[page] = word;
    try_fold(pte, page, word, flush);
  }
  static void protect(Entry* pte, bool writable) {
    u64 old = pte[0];
    if (A::pte_valid_cont(old)) old = fold_all(old, pte);
    old = pte[0].exchange(0);
    for (u64 v = 1; v < n; ++v) old = Words::fold(old, pte[v].exchange(0));
    const u64 word = A::pte_mkcont(changed(old, writable));
    for (u64 v = 0; v < n; ++v) pte[v] = A::pte_advance_pfn(word, v);
  }

  bool batches_, bbm2_;
};

void fill(Entry* table, u64 entries, u64) {
  for (u64 v = 0; v < entries; ++v)
    table[v] = Arm64::pte_mkdirty(Arm64::pte_mkcont(Arm64::pfn_pte(v, Arm64::page_shared)));
}

Subject subject_on(bool bbm2) {
  Subject s{.name = bbm2 ? "contpte-bbm2" : "contpte",
            .arch = "arm64",
            .sentence = bbm2 ? "mprotect(PROT_READ), then (PROT_READ|PROT_WRITE) of CONT blocks, BBM level 2"
                             : "mprotect(PROT_READ), then (PROT_READ|PROT_WRITE) of CONT blocks, BBM level 0",
            .per_call = Block::per_call,
            .changes = 2,
            .repeatable = true,
            .folios = {16},
            .sizes = {16, 512, 16384, 262144, 1048576},
            .ways = {},
            .fill = fill,
            .tariff = &contpte::tariff(),
            .published = published_000,
            .machine = "contpte"};
  for (const u64 variant : {contpte::per_pte, contpte::batched}) {
    const Config config = Block::config(variant, bbm2);
    s.ways.push_back({variant == contpte::per_pte ? "per-PTE" : "batched", steps_of<Block>(config),
                      BlockByHand(variant == contpte::batched, bbm2),
                      counts_of<Block>(config, contpte::tariff())});
  }
  return s;
}

}  // namespace

std::vector<Subject> contpte_subjects() { return {subject_on(false), subject_on(true)}; }

}  // namespace ptmc::native
