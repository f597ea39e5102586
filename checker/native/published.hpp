// What the seeds' authors measured: on other machines, in other units. It stands beside our numbers and is
// never compared with them.
#pragma once

namespace ptmc::native {

inline constexpr const char* published_000 =
    "Apple M3, arm64, 40 times over 1 GiB, before and after batching: PTE-mapped THP 7.9 s and 2.1 s, 64 KiB "
    "mTHP 7.9 s and 2.2 s, 4 KiB pages 4.2 s and 4.2 s";
inline constexpr const char* published_004 =
    "Intel server, vm-scalability anon-cow-rand-mt, with the patch: score up to 2.1% better, TLB flushing "
    "interrupts up to 44.3% fewer";

}  // namespace ptmc::native
