// Features as values; the other tests pass them as constants.
#include <doctest/doctest.h>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"

using namespace ptmc;

TEST_CASE("a helper means the same whether a feature is a constant or a value") {
  Features<bool, u64> cpu{false, false, false, false, true, ~u64{0}};
  const u64 shadow = X86_64::present | X86_64::dirty;
  CHECK(!X86_64::pte_write(shadow, cpu));
  cpu.shstk = true;
  CHECK(X86_64::pte_write(shadow, cpu));
  CHECK(X86_64::swp_offset_pfn(bits(57, 0), cpu) == bits(33, 0));
  cpu.la57 = true;
  CHECK(X86_64::swp_offset_pfn(bits(57, 0), cpu) == bits(39, 0));
  cpu.supported_pte_mask = ~X86_64::global;
  CHECK(X86_64::pte_modify(X86_64::page_rw, X86_64::page_rw | X86_64::global, cpu) == X86_64::page_rw);
  CHECK(Arm64::is_migration_entry_young(Arm64::make_migration_entry_young(u64{0}, cpu), cpu));
  cpu.migration_ad = false;
  CHECK(Arm64::make_migration_entry_dirty(u64{0}, cpu) == 0);
  CHECK(!Arm64::is_migration_entry_dirty(~u64{0}, cpu));
}
