// Litmus table of arm64: its rows, and the mutants that turn them.
#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "model/hw/litmus.hpp"
#include "properties/litmus/arm64_rights.hpp"
#include "properties/litmus/arm64_walks.hpp"
#include "properties/litmus/table.hpp"

namespace ptmc::litmus {
namespace {

constexpr auto programs = join(arm64_rows::walk_rows, arm64_rows::right_rows);

using M = Litmus<Arm64, programs>;
constexpr auto allowed = Mutant::Turns::allowed, forbidden = Mutant::Turns::forbidden,
               equivalent = Mutant::Turns::neither;
constexpr Mutant mutants[] = {
    {"drop:hw/start_walk", "tlbi-before-store", allowed},
    {"drop:hw/start_walk_before", "no-dsb-ishst-after-table-store", allowed},
    {"drop:hw/fill", "speculation-sets-af-only", allowed},
    {"guard-true:hw/fill", "invalid-is-not-cached", forbidden},
    {"guard-true:hw/fill", "af-clear-without-ha", forbidden},
    {"drop:hw/fill_before", "no-dsb-ishst", allowed},
    {"drop:hw/fill_block", "cont-block-mixes-attributes", allowed},
    {"drop:hw/evict", "dropped-at-any-time", allowed},
    {"drop:hw/deliver", "break-before-make", allowed},
    {"knob:accessed=not-set", "af-set-before-caching", forbidden},
    {"knob:accessed=not-set", "walk-in-flight", allowed},
    {"knob:speculative_dirty=set", "speculation-sets-af-only", forbidden},
    {"knob:speculative_dirty=set", "dbm-without-hd", forbidden},
    {"knob:speculative_dirty=set", "cont-dirty-in-one-descriptor", forbidden},
    {"knob:clean_store=uses-entry", "store-clears-rdonly", forbidden},
    {"knob:clean_store=uses-entry", "store-through-clean-entry", forbidden},
    {"knob:clean_store=uses-entry", "xchg-catches-dirty", forbidden},
    {"knob:dirty_store=rewalks", "store-through-dirty-entry", allowed},
    {"knob:dirty_store=rewalks", "write-protect-without-flush", allowed},
    {"knob:fault=other-architecture", "read-only-made-writable", allowed},
    {"knob:upper_rights=ignored", "upper-level-read-only", forbidden},
    {"knob:upper_rights=ignored", "upper-level-no-el0", forbidden},
    {"knob:upper_rights=ignored", "upper-level-no-execute", forbidden},
    {"knob:tags=ignored", "asid-separates", forbidden},
    {"knob:globals=own-tag", "global-serves-every-asid", allowed},
    {"knob:globals=flushed-with-space", "aside1-spares-globals", allowed},
    {"knob:walk_invalidation=none", "leaf-only-then-refill", forbidden},
    {"knob:walk_invalidation=none", "table-replaced", forbidden},
    {"knob:level_hint=ignored", "wrong-ttl", allowed},
    {"knob:block_invalidation=own-page", "cont-block-dies-by-any-address", forbidden},
    {"knob:walkers_see=at-once", "no-dsb-ishst", allowed},
    {"knob:walkers_see=at-once", "made-valid-without-dsb", allowed},
    {"knob:completion=anyone", "dsb-by-another-pe", allowed},
    {"knob:key_register=other-architecture", "por-before-and-after-isb", allowed},
    {"knob:live_change=free", "live-change-without-break", allowed},
    {"knob:live_change=free", "make-before-the-dsb", allowed},
    {"knob:live_change=free", "cont-change-without-break", allowed},
    // What the programs' own steps carry.
    {"drop:cpu/dsb_ishst", "break-before-make", forbidden},
    {"drop:cpu/dsb_ishst", "invalid-is-not-cached", forbidden},
    {"drop:cpu/xchg_pte", "store-read-by-another-pe", forbidden},
    {"drop:cpu/tlbi", "tlbi-without-dsb", forbidden},
    {"drop:cpu/dsb_ish", "tlbi-without-dsb", forbidden},
    {"drop:cpu/dsb_ish", "break-before-make", forbidden},
    {"operand:cpu/tlbi=leaf-only", "leaf-only-then-refill", forbidden},
    {"operand:cpu/tlbi=wrong-level", "tlbi-without-dsb", forbidden},
    {"operand:cpu/tlbi=other-page", "tlbi-without-dsb", forbidden},
    {"operand:cpu/tlbi=short-range", "range-invalidated", forbidden},
    {"operand:cpu/tlbi=local-only", "tlbi-without-dsb", forbidden},
    {"drop:cpu/isb", "por-before-and-after-isb", forbidden},
    {"drop:cpu/set_key", "por-before-and-after-isb", forbidden},
    {"drop:cpu/switch_to", "asid-separates", forbidden},
    {"drop:cpu/irqs_off", "interrupts-off-holds-nobody", equivalent},
};
constexpr const char* features[] = {"HA", "HD", "range TLBI", "TTL", "BBM level 2", "POE"};

}  // namespace

const Table& arm64() {
  static const PackedTables packed = packed_tables<M>();
  static const PlainTables plain = plain_tables<M>();
  static const Table table{"arm64", "Arm ARM D8", programs, mutants, features, packed, plain};
  return table;
}

}  // namespace ptmc::litmus
