#include "properties/batched_unmap/groups.hpp"

#include <array>

#include "model/mm/world.hpp"

namespace ptmc::batched_unmap {
namespace {

using Captured = const std::vector<std::string>&;

std::string entry_name(Captured page, const CpuName&) { return "pte[" + page[0] + "]"; }
std::string lock_name(Captured page, const CpuName&) { return "PTL[" + page[0] + "]"; }
std::string tlb_name(Captured at, const CpuName& cpu) { return cpu(std::stoull(at[0])) + " page " + at[1]; }
std::string frame_name(Captured frame, const CpuName&) { return "pfn " + frame[0]; }

constexpr std::array issuers{"reclaim", "migrate",  "aging",      "mprotect", "NUMA",
                             "NUMA 1",  "DONTNEED", "DONTNEED 1", "a fault"};
static_assert(issuers.size() == mm::issuers);
std::string owner(u64 value) {
  return value == 0 ? "free" : value <= issuers.size() ? issuers[value - 1] : std::to_string(value);
}
// Whose stores have not reached all walkers.
std::string storing(u64 mask) {
  std::string names;
  for (unsigned k = 0; k < issuers.size(); ++k)
    if ((mask & bit(k)) != 0) names += (names.empty() ? "" : ", ") + std::string(issuers[k]);
  return names.empty() ? "nobody" : names;
}
std::string prot(u64 value) {
  constexpr std::array names{"PROT_NONE", "PROT_READ", "PROT_READ|PROT_WRITE"};
  static_assert(mm::prot_write == 2);
  return value < names.size() ? names[value] : std::to_string(value);
}

constexpr Group all[] = {{"pte[*]", "Page table", entry_name},
                         {"pte[*].lagging", "Page table", entry_name, storing},
                         {"pte[*].before", "Page table", entry_name, nullptr, "lagging"},
                         {"tlb[*][*].*", "TLBs", tlb_name, nullptr, "valid"},
                         {"lazy[*].*", "Lazy TLB mode"},
                         {"ptl[*]", "Locks", lock_name, owner},
                         {"mm.writer", "Locks"},
                         {"mm.readers", "Locks"},
                         {"mm.prot", "mm", nullptr, prot},
                         {"mm.*", "mm"},
                         {"frame[*].*", "Frames", frame_name},
                         {"swap_cache[*]", "mm"},
                         {"ghost.*", "History that the code does not see"},
                         {"ghost.*[*]", "History that the code does not see"}};

}  // namespace

std::span<const Group> groups() { return all; }

}  // namespace ptmc::batched_unmap
