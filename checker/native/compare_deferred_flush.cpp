// The machine of seed 004, natively and in the model.
#include "checker/native/compare.hpp"
#include "checker/native/machines.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/batched_unmap/machine.hpp"
#include "properties/batched_unmap/cost.hpp"
#include "properties/batched_unmap/explore.hpp"

namespace ptmc::native {
namespace {

/// Every actor of the machine, in every instance and variant of the catalogue but those with a lazy CPU: that
/// an IPI's handler brings its tlb_gen up to date is the model's, and natively the kernel's.
template <class Arch>
void compare_on(Compared& all) {
  using B = batched_unmap::Explored<Arch>;
  using Lockstep = MachineInLockstep<batched_unmap::Machine<B>, batched_unmap::State<Native<>, B>>;
  const auto& tables = Arch::is_x86 ? batched_unmap::plain_x86_64() : batched_unmap::plain_arm64();
  for (const batched_unmap::Instance& i : batched_unmap::instances())
    for (const char* variant : {"", "knob:defer=batched", "knob:defer=eager"}) {
      if (all.difference || i.lazy_cpu || !machine::exists(i.on, Arch::is_x86)) continue;
      batched_unmap::Question q{i, Arch::is_x86, batched_unmap::feature_sets(Arch::is_x86)[0], {}, {}};
      if (*variant != '\0') q.mutations = {variant};
      const ModelSide what{tables, batched_unmap::setup_of(q, {}), batched_unmap::tariff(Arch::is_x86)};
      add(all, std::make_unique<Lockstep>(what)->run(), std::string(i.name) + ": ");
    }
}
}  // namespace

Compared compare_deferred_flush() {
  Compared all;
  compare_on<X86_64>(all);
  compare_on<Arm64>(all);
  return all;
}

}  // namespace ptmc::native
