// The machine of mprotect, natively and in the model.
#include "checker/native/compare.hpp"
#include "checker/native/machines.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/mprotect/machine.hpp"
#include "properties/mprotect/cost.hpp"

namespace ptmc::native {
namespace {

/// Every actor of the machine, in every instance and variant of the catalogue.
template <class Arch>
void compare_on(Compared& all) {
  using B = mprotect::Explored<Arch>;
  using Lockstep = MachineInLockstep<mprotect::Machine<B>, mprotect::State<Native<>, B>>;
  for (const mprotect::Instance& i : mprotect::instances())
    for (const char* variant : {"", "knob:change_pte_range=per-pte", "knob:change_pte_range=v1"}) {
      if (all.difference || !machine::exists(i.on, Arch::is_x86)) continue;
      mprotect::Question q = mprotect::question_of(i, Arch::is_x86, mprotect::feature_sets(Arch::is_x86)[0],
                                                   mprotect::batchings()[0]);
      if (*variant != '\0') q.mutations = {variant};
      const ModelSide what{mprotect::lowered(Arch::is_x86).plain, mprotect::setup_of(q, {}),
                           mprotect::tariff(Arch::is_x86)};
      add(all, std::make_unique<Lockstep>(what)->run(), std::string(i.name) + ": ");
    }
}

}  // namespace

Compared compare_mprotect() {
  Compared all;
  compare_on<X86_64>(all);
  compare_on<Arm64>(all);
  return all;
}

}  // namespace ptmc::native
