// mprotect by PTE batching (seed 000) over page tables in memory.
#include "checker/native/calls.hpp"
#include "checker/native/published.hpp"
#include "checker/native/subjects.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/mprotect/machine.hpp"
#include "properties/mprotect/tariff.hpp"

namespace ptmc::native {
namespace {

using mprotect::KnobId;

/// A page table of an anonymous mapping, every page exclusive, written: protected, and writable again.
template <class A>
struct Protect {
  using Arch = A;
  static constexpr u64 per_call = 512;
  using B = mprotect::Bounds<Arch, 1, per_call>;
  template <class D>
  using State = mprotect::State<D, B>;
  static constexpr const auto& actor() { return mprotect::Mprotect<B>::sequence_; }
  static constexpr std::array<u64, 2> choices{mm::prot_read, mm::prot_write};

  static void prepare(auto& s) {
    for (u64 f = 0; f < B::folio_pages; ++f) s.folio.exclusive[f] = true;
  }
  static void begin(auto& s, u64 choice) {
    s.mm.prot = choice == mm::prot_read ? mm::prot_write : mm::prot_read;
  }
  static u64 batch_after(const char* step, const auto& s) {
    return std::string_view(step) == "pte_modify" ? s.mprotect.end - s.mprotect.start : 0;
  }
  static Config config(u64 variant) {
    Config c;
    c.bound[static_cast<unsigned>(By::cpu)] = 1;
    c.bound[static_cast<unsigned>(By::slot)] = 1;  // Asks whether reclaim owes a flush, as any call does.
    c.knob[static_cast<unsigned>(KnobId::vma)] = mprotect::exclusive;
    c.knob[static_cast<unsigned>(KnobId::change_pte_range)] = static_cast<u8>(variant);
    return c;
  }
};

/// change_pte_range as a C programmer would write it, over entries of one table.
template <class Arch>
class ByHand {
 public:
  explicit ByHand(bool batches) : batches_(batches) { std::fill(exclusive_.begin(), exclusive_.end(), true); }

  void operator()(Entry* table, u64 entries, Flush flush) const {
    for (const u64 prot : {mm::prot_read, mm::prot_write})
      for (u64 at = 0; at < entries; at += 512)
        protect(table + at, std::min<u64>(512, entries - at), prot, flush);
  }

 private:
  using Words = mprotect::Decide<Arch>;

  void protect(Entry* pte, u64 n, u64 prot, Flush flush) const {
    const u64 rights = prot == mm::prot_write ? vm::read | vm::write : vm::read;
    const mprotect::Vma<bool, u64> vma{rights | vm::soft_dirty, false, false};
    const u64 newprot = Words::page_prot(vma);
    bool flushes = false;
    for (u64 i = 0, nr = 1; i < n; i += nr) {
      const u64 first = pte[i];
      nr = 1;
      if (!Arch::pte_present(first)) continue;
      while (batches_ && i + nr < n && Words::batches_with(first, u64{pte[i + nr]}, nr, Words::batch_flags))
        ++nr;
      u64 old = pte[i].exchange(0);
      for (u64 k = 1; k < nr; ++k) old = Words::fold(old, pte[i + k].exchange(0));
      const u64 ptent = Words::changed(old, newprot, u64{0});
      const bool tries = prot == mm::prot_write && !Arch::pte_write(ptent);
      const bool may = tries && Words::maybe_change_pte_writable(vma, ptent);
      for (u64 k = 0; k < nr; ++k) {
        const u64 made = Words::made_writable(vma, ptent, may && exclusive_[i + k]);
        pte[i + k] = Words::committed(made, k);
        flushes = flushes || Words::needs_flush(old, made);
      }
    }
    if (flushes) flush_by_hand(flush);
  }

  bool batches_;
  std::array<bool, 512> exclusive_{};
};

template <class Arch>
void fill(Entry* table, u64 entries, u64 folio) {
  for (u64 v = 0; v < entries; ++v) {
    const u64 pfn = v + v / folio + 1;  // A frame lies between two folios.
    table[v] = Arch::pte_mkdirty(Arch::pfn_pte(pfn, Arch::page_shared));
  }
}

template <class Arch>
Subject subject_on(const char* arch) {
  using M = Protect<Arch>;
  const Tariff& tariff = mprotect::tariff(Arch::is_x86);
  Subject s{.name = Arch::is_x86 ? "mprotect" : "mprotect-arm64",
            .arch = arch,
            .sentence = "mprotect(PROT_READ), then (PROT_READ|PROT_WRITE)",
            .per_call = M::per_call,
            .changes = 2,
            .repeatable = true,
            .folios = {1, 16, 512},
            .sizes = {1, 16, 512, 16384, 262144, 1048576},
            .ways = {},
            .fill = fill<Arch>,
            .tariff = &tariff,
            .published = published_000,
            .machine = "mprotect"};
  const std::pair<const char*, u64> ways[] = {
      {"per-PTE", mprotect::per_pte}, {"batched", mprotect::landed}, {"v1", mprotect::v1}};
  for (const auto& [way, variant] : ways) {
    const Config config = M::config(variant);
    // Version 1 of the series asks other questions, but of these pages it makes the same entries.
    s.ways.push_back(
        {way, steps_of<M>(config), ByHand<Arch>(variant != mprotect::per_pte), counts_of<M>(config, tariff)});
  }
  return s;
}

}  // namespace

std::vector<Subject> mprotect_subjects() {
  return {subject_on<X86_64>("x86_64"), subject_on<Arm64>("arm64")};
}

}  // namespace ptmc::native
