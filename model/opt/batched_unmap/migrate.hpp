// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/migrate.c migrate_pages_batch, remove_migration_pte; mm/rmap.c try_to_migrate_one (6.12,
// MIGRATE_ASYNC). Claim: the copy sees every store, and the old frame is given away only when nothing reaches
// it. Omitted: mapping of the destination before its copy, retries, KSM, device pages, folio locks (isolation
// stands
//   for them: faults on migration entries wait).
#pragma once
#include "model/opt/batched_unmap/unmap_one.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct MigrateRegisters {
  using F = Flag<D>;
  using Entries = Array<D, Word<D>, B::pages, By::page>;
  using Folio = Bits<D, bits_for(B::frames)>;
  using Folios = Array<D, Folio, B::pages, By::page>;
  using PerPage = Array<D, F, B::pages, By::page>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(MigrateRegisters, (Entries, old), (Folios, folio), (PerPage, isolated),
                           (Folio, dst),  // The new frame, between copy and the end.
                           (F, accessible), (F, skipped), (F, pending_early), (PerPage, alone),
                           (F, flush_required), (F, writable),
                           (F, undo),  // Puts the page back before the flush.
                           (P, posted));
};

template <class B>
struct Migrate {
  using One = UnmapOne<B, mm::by_migrate>;
  using V = mm::Vocabulary<B>;
  using Arch = typename B::Arch;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.migrate); };
  static constexpr auto unmapped = [](const auto& r, Ctx x) { return r.old[x.i] != 0; };

  /// The migration entry keeps W, A and D of the old one (swapops.h make_*_migration_entry*).
  static auto migration_entry(const auto& old) {
    const auto frame = Arch::pte_pfn(old);
    const auto kind = ite(Arch::pte_write(old), Arch::make_writable_migration_entry(frame),
                          Arch::make_readable_exclusive_migration_entry(frame));
    const auto young = ite(Arch::pte_young(old), Arch::make_migration_entry_young(kind), kind);
    return Arch::swp_entry_to_pte(ite(Arch::pte_dirty(old), Arch::make_migration_entry_dirty(young), young));
  }
  static auto is_migration(const auto& word) {
    return Arch::is_swap_pte(word) && Arch::is_migration_entry(Arch::pte_to_swp_entry(word));
  }
  /// remove_migration_pte: the rights the VMA has now; W if the entry had it.
  static auto restored(const auto& word, const auto& frame, const auto& prot) {
    const auto entry = Arch::pte_to_swp_entry(word);
    const auto old = Arch::pte_mkold(V::mk_pte(frame, prot));
    const auto young = ite(Arch::is_migration_entry_young(entry), Arch::pte_mkyoung(old), old);
    const auto dirty = ite(Arch::is_migration_entry_dirty(entry), Arch::pte_mkdirty(young), young);
    return ite(Arch::is_writable_migration_entry(entry), Arch::pte_mkwrite(dirty), dirty);
  }

  static constexpr auto install_migration_entry = step("set_pte_at_migration", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], mm::by_migrate, migration_entry(load(r.old[x.i])));
    One::drop_mapping(s, r, x);
  });
  /// Maps `frame(r, x)` where the migration entry still is; MADV_DONTNEED may have removed it.
  template <class Frame>
  static constexpr auto remove_migration_pte(const char* name, Frame) {
    return block(name, One::lock,
                 step("remove_migration_pte",
                      [](auto& s, auto& r, Ctx x) {
                        const auto word = V::pte(s, x.i);
                        const auto frame = Frame{}(r, x);
                        when(is_migration(word), s, [&](auto& t) {
                          hw::store_entry(t.pte[x.i], mm::by_migrate, restored(word, frame, t.mm.prot));
                          V::get(t, frame);
                        });
                        r.alone[x.i] = r.alone[x.i] && !r.undo;
                      }),
                 One::unlock);
  }

  static constexpr auto copy = choose<B::frames>(
      "folio_copy",
      [](const auto& s, const auto&, Ctx x) { return V::is_free(s.frame[x.k]) && x.k < x.count(By::frame); },
      [](auto& s, auto& r, Ctx x) {
        const auto from = load(r.folio[x.i]);
        const auto dirty = load(at(s.frame, from).dirty);
        const auto unsaved = load(at(s.frame, from).unsaved);
        update(s.frame, from, [](auto& f) {
          f.dirty = false;
          f.unsaved = false;
        });
        s.frame[x.k].refs = 1;
        s.frame[x.k].isolated = true;  // Not on the LRU yet.
        s.frame[x.k].dirty = dirty;
        s.frame[x.k].unsaved = unsaved;
        r.dst = x.k;
      });

  static constexpr auto sequence_ = sequence(
      "migrate", registers,
      choose<2>("migrate_pages", always_on,
                [](auto& s, auto& r, Ctx x) {
                  s.ghost.migrating = true;
                  r.undo = x.k == 1;
                }),
      loop<By::page>(One::folio_isolate_lru,
                     if_([](const auto& r, Ctx x) { return load(r.isolated[x.i]); },
                         block("try_to_migrate_one", One::lock,
                               One::clear_and_install(install_migration_entry), One::unlock))),
      loop<By::page>(
          if_([](const auto& r, Ctx x) { return r.old[x.i] != 0 && r.undo; },
              remove_migration_pte("undo", [](const auto& r, const Ctx& x) { return load(r.folio[x.i]); }))),
      if_([](const auto& r) { return load(r.flush_required); },
          One::try_to_unmap_flush("try_to_unmap_flush")),
      loop<By::page>(if_([](const auto& r, Ctx x) { return r.old[x.i] != 0 && !r.undo; }, copy,
                         remove_migration_pte("move", [](const auto& r, const Ctx&) { return load(r.dst); }),
                         step("put_dst",
                              [](auto& s, auto& r) {
                                update(s.frame, r.dst, [](auto& f) { f.isolated = false; });
                                V::put(s, r.dst);
                                r.dst = 0;
                              })),
                     if_([](const auto& r, Ctx x) { return load(r.isolated[x.i]); },
                         step("putback", [](auto& s, auto& r, Ctx x) { One::putback(s, r, x); }))),
      step("return", [](auto& s, auto& r) {
        s.ghost.migrating = false;
        r.undo = false;
      }));
};

}  // namespace ptmc::batched_unmap
