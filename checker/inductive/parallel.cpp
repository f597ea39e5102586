#include "checker/inductive/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace ptmc {

std::size_t workers_for(unsigned wanted, std::size_t count) {
  const std::size_t cores = wanted != 0 ? wanted : std::thread::hardware_concurrency();
  return std::max<std::size_t>(1, std::min(cores, count));
}

void parallel_for(std::size_t workers, std::size_t count,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failed(workers);
  auto work = [&](std::size_t me) {
    try {
      for (std::size_t k; (k = next++) < count;) body(me, k);
    } catch (...) {
      failed[me] = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < workers; ++t) threads.emplace_back(work, t);
  work(0);
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& e : failed)
    if (e) std::rethrow_exception(e);
}

}  // namespace ptmc
