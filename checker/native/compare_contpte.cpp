// The machine of contpte, natively and in the model.
#include "checker/native/compare.hpp"
#include "checker/native/machines.hpp"
#include "model/opt/contpte/machine.hpp"
#include "properties/contpte/cost.hpp"

namespace ptmc::native {

/// Every actor of the machine, in every instance of the catalogue, on BBM level 0 and 2, and without
/// range TLBI.
Compared compare_contpte() {
  using B = contpte::Explored;
  using Lockstep = MachineInLockstep<contpte::Machine<B>, contpte::State<Native<>, B>>;
  Compared all;
  for (const contpte::Instance& i : contpte::instances())
    for (const contpte::FeatureSet& features :
         {contpte::feature_sets()[0], contpte::feature_sets()[1], contpte::feature_sets()[2]}) {
      const ModelSide what{contpte::lowered().plain, contpte::setup_of({i, features, "", {}}, {}),
                           contpte::tariff()};
      add(all, std::make_unique<Lockstep>(what)->run(), std::string(i.name) + ": ");
      if (all.difference) return all;
    }
  return all;
}

}  // namespace ptmc::native
