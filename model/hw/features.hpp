// What an instance may switch on in its CPUs: bits of Config::features, printed with each verdict.
#pragma once
#include "model/core/types.hpp"

namespace ptmc {
namespace x86 {
enum class Feature : u8 {
  pcid,          // CR4.PCIDE: entries carry a process-context identifier (SDM 4.10.1).
  shadow_stack,  // CR4.CET (SDM 4.6.1).
  amd_tce,       // EFER.TCE: INVLPG spares upper-level entries off its path (APM 3.1.7).
};
}  // namespace x86
namespace arm {
enum class Feature : u8 {
  ha,          // TCR_ELx.HA: the walker sets AF (D8.5.1).
  hd,          // TCR_ELx.HD: the walker clears AP[2] of a DBM entry; only together with HA (D8.5.2).
  range_tlbi,  // FEAT_TLBIRANGE.
  ttl,         // FEAT_TTL: TLBI may name the level of the leaf.
  bbm2,        // FEAT_BBM level 2 without conflict aborts.
  poe,         // FEAT_S1POE: permission overlays by POIndex.
};
}  // namespace arm
}  // namespace ptmc
