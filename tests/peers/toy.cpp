#include "tests/peers/toy.hpp"

#include <stdexcept>

#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lowered.hpp"
#include "tests/peers/peers.hpp"

namespace ptmc::peers {
namespace {

template <u64 cpus, u64 pages>
std::unique_ptr<System> lower(unsigned bug) {
  static const PackedTables tables = packed_tables<Toy<cpus, pages>>();
  Setup setup;
  setup.actors = {{"reclaim", 1}, {"mprotect", 1}};
  setup.config.bound[static_cast<unsigned>(By::cpu)] = cpus;
  setup.config.bound[static_cast<unsigned>(By::page)] = pages;
  if (bug != 0) setup.config.knob.at(bug - 1) = 1;
  return std::make_unique<LoweredSystem>(tables, setup);
}

}  // namespace

std::unique_ptr<System> toy(u64 cpus, u64 pages, unsigned bug) {
  if (cpus == 2 && pages == 2) return lower<2, 2>(bug);
  if (cpus == 3 && pages == 2) return lower<3, 2>(bug);
  if (cpus == 2 && pages == 3) return lower<2, 3>(bug);
  if (cpus == 4 && pages == 2) return lower<4, 2>(bug);
  throw std::invalid_argument("the toy is built for 2,2 3,2 2,3 and 4,2 CPUs and pages");
}

}  // namespace ptmc::peers
