// Litmus table of x86-64: its rows, and the mutants that turn them.
#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "model/hw/litmus.hpp"
#include "properties/litmus/table.hpp"
#include "properties/litmus/x86_64_rows.hpp"

namespace ptmc::litmus {
namespace {

constexpr auto& programs = x86_64_rows::rows;

using M = Litmus<X86_64, programs>;
constexpr auto allowed = Mutant::Turns::allowed, forbidden = Mutant::Turns::forbidden;
constexpr Mutant mutants[] = {
    {"drop:hw/start_walk", "walk-cache-outlives-its-entry", allowed},
    {"drop:hw/fill", "speculation-sets-accessed-only", allowed},
    {"guard-true:hw/fill", "absent-is-not-cached", forbidden},
    {"drop:hw/evict", "dropped-at-any-time", allowed},
    {"drop:hw/deliver", "shootdown", allowed},
    {"guard-true:hw/deliver", "interrupts-off-holds-the-initiator", forbidden},
    {"knob:accessed=not-set", "accessed-before-cached", forbidden},
    {"knob:accessed=not-set", "walk-in-flight", allowed},
    {"knob:speculative_dirty=set", "speculation-sets-accessed-only", forbidden},
    {"knob:clean_store=uses-entry", "store-sets-dirty", forbidden},
    {"knob:clean_store=uses-entry", "store-through-clean-entry", forbidden},
    {"knob:clean_store=uses-entry", "store-through-clean-entry-finds-new-frame", forbidden},
    {"knob:clean_store=uses-entry", "xchg-catches-dirty", forbidden},
    {"knob:dirty_store=rewalks", "store-through-dirty-entry", allowed},
    {"knob:dirty_store=rewalks", "write-protect-without-flush", allowed},
    {"knob:fault=other-architecture", "read-only-made-writable", forbidden},
    {"knob:fault=other-architecture", "fault-drops-the-walk-cache", forbidden},
    {"knob:upper_rights=ignored", "upper-level-read-only", forbidden},
    {"knob:upper_rights=ignored", "upper-level-supervisor", forbidden},
    {"knob:upper_rights=ignored", "upper-level-no-execute", forbidden},
    {"knob:tags=ignored", "pcid-separates", forbidden},
    {"knob:globals=own-tag", "global-serves-every-pcid", allowed},
    {"knob:globals=flushed-with-space", "cr3-spares-globals", allowed},
    {"knob:walk_invalidation=none", "walk-cache-outlives-its-entry", forbidden},
    {"knob:idle_cpus=interrupted", "lazy-cpu-is-skipped", allowed},
    {"knob:key_register=other-architecture", "wrpkru-acts-at-once", forbidden},
    // What the programs' own steps carry.
    {"drop:cpu/ipi", "shootdown", forbidden},
    {"drop:cpu/ipi_wait", "shootdown", forbidden},
    {"operand:cpu/ipi=leaf-only", "shootdown-of-a-table", forbidden},
    {"operand:cpu/ipi=other-page", "shootdown", forbidden},
    {"operand:cpu/ipi=local-only", "shootdown", forbidden},
    {"drop:cpu/invalidate", "invlpg-is-local", forbidden},
    {"drop:cpu/invalidate", "cr3-drops-the-rest", forbidden},
    {"drop:cpu/switch_to", "cr3-without-pcid-drops", forbidden},
    {"drop:cpu/irqs_off", "interrupts-off-holds-the-initiator", forbidden},
    {"drop:cpu/enter_lazy", "lazy-cpu-is-skipped", allowed},
    {"drop:cpu/set_key", "wrpkru-acts-at-once", forbidden},
};
constexpr const char* features[] = {"PCID", "shadow stack", "AMD TCE"};

}  // namespace

const Table& x86_64() {
  static const PackedTables packed = packed_tables<M>();
  static const PlainTables plain = plain_tables<M>();
  static const Table table{"x86_64", "Intel SDM vol. 3", programs, mutants, features, packed, plain};
  return table;
}

}  // namespace ptmc::litmus
