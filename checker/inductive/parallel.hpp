// The loop over queries on several threads, shared by proof and re-proof.
#pragma once
#include <cstddef>
#include <functional>

namespace ptmc {

/// How many threads `count` tasks get; 0 wanted: one a core.
std::size_t workers_for(unsigned wanted, std::size_t count);

/// body(worker, k) for each k < count; `worker` < `workers`. Rethrows what a body threw.
void parallel_for(std::size_t workers, std::size_t count,
                  const std::function<void(std::size_t worker, std::size_t k)>& body);

}  // namespace ptmc
