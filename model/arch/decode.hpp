// Entries as named bits, for traces and findings: "P US A SAVED_DIRTY pfn=3 NX".
#pragma once
#include <string>
#include <string_view>

#include "model/arch/entry.hpp"

namespace ptmc {

/// Decodes one entry. `arch` is a layout ("x86_64", "x86_64_6_1", "arm64", "arm64_6_1"), any other text
/// prints hex. Bits in ascending order; the frame as software reads it (x86: inversion undone), 4 KiB units,
/// in hex; swap and migration entries by kind: "migration write pfn=0x3 A D". At pmd and pud level leaves and
/// tables are told apart. Bits without a name are listed as "bits=52,53".
std::string decode(std::string_view arch, u64 entry, Level level = Level::pte);

/// Decodes a protection: all bits by name, none of them a frame or a swap entry.
std::string decode_prot(std::string_view arch, u64 prot);

/// Names the bits of a mask, e.g. of a difference between two entries: "RW D SAVED_DIRTY pfn".
std::string bit_names(std::string_view arch, u64 mask);

}  // namespace ptmc
