#include "checker/lower/pool.hpp"

#include <stdexcept>
#include <string>

namespace ptmc {

u64 Pool::insert(u64 word) {
  const std::lock_guard lock(mutex_);
  for (unsigned slot = hash(word);; slot = (slot + 1) % slots) {
    const u64 id = ids_[slot].load(std::memory_order_relaxed);
    if (id != 0) {
      if (values_[id] == word) return id;  // Another thread was faster.
      continue;
    }
    if (count_ == size)
      throw std::length_error("more than " + std::to_string(size - 1) +
                              " distinct page-table words are reachable: raise Pool::index_bits");
    values_[count_] = word;
    ids_[slot].store(static_cast<u16>(count_), std::memory_order_release);
    return count_++;
  }
}

}  // namespace ptmc
