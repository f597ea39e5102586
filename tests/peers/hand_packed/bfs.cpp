// Breadth-first search for the hand-packed model: what one thread of this machine can do at best.
//
// g++ -O3 -march=native -std=c++20 -DCPUS=2 -DPAGES=3 [-DBUG=1|2] bfs.cpp; ./a.out LOG2_SLOTS
// The table is sized beforehand: 64-byte buckets of 16 remainders of 32 bits, one cache line a probe, on 2
// MiB pages.
#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "model.hpp"

namespace {

constexpr int displacement_bits_max = 6;

class Table {
 public:
  explicit Table(int slot_bits) : bucket_bits_(slot_bits - 4) {
    const int rest = key_bits - bucket_bits_;
    if (bucket_bits_ < 1 || rest > 30) {
      std::printf("LOG2_SLOTS must be at least %d\n", key_bits - 26);
      std::exit(1);
    }
    displacement_bits_ = std::min(32 - rest, displacement_bits_max);
    const std::size_t bytes = std::size_t{4} << slot_bits;
    void* p =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
      std::perror("mmap");
      std::exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
    lanes_ = static_cast<u32*>(p);
  }
  const void* line(u64 mixed) const { return lanes_ + (mixed >> (key_bits - bucket_bits_) << 4); }

  /// Whether the key is new.
  bool insert(u64 mixed) {
    const u64 rest = mixed & ones(key_bits - bucket_bits_), last = ones(bucket_bits_);
    u64 b = mixed >> (key_bits - bucket_bits_);
    // The all-ones displacement is not used: plus one it would be the empty mark.
    for (u64 moved = 0; moved < ones(displacement_bits_); ++moved, b = (b + 1) & last) {
      u32* const p = lanes_ + (b << 4);
      const u32 value = static_cast<u32>(rest << displacement_bits_ | moved) + 1;
      const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
      const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(p + 8));
      if (equal(low, high, value) != 0) return false;
      if (const u32 free = equal(low, high, 0); free != 0) {
        p[__builtin_ctz(free)] = value;
        return true;
      }
    }
    std::printf("the table is full\n");
    std::exit(1);
  }

 private:
  static u32 equal(__m256i low, __m256i high, u32 value) {
    const __m256i v = _mm256_set1_epi32(static_cast<int>(value));
    const auto lanes = [&](__m256i half) {
      return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(half, v))));
    };
    return lanes(low) | lanes(high) << 8;
  }

  int bucket_bits_, displacement_bits_;
  u32* lanes_;
};

struct Counts {
  u64 states = 0, transitions = 0;
  int depth = 0;
};

class Search {
 public:
  explicit Search(int slot_bits) : table_(slot_bits), recent_(recent_count), queue_(queue_size) {}

  Counts run() {
    Counts counts{1, 0, -1};
    std::vector<u64> level{initial};
    for (table_.insert(mix(initial)); !level.empty(); ++counts.depth) {
      for (const u64 s : level) counts.transitions += static_cast<u64>(expand(s));
      drain(0);
      counts.states += next_.size();
      level.swap(next_);
      next_.clear();
    }
    return counts;
  }

 private:
  static constexpr u64 recent_count = 4096, queue_size = 256, waiting_max = 64;
  struct Waiting {
    u64 key, mixed;
  };

  int expand(u64 s) {
    u64 keys[96], mixed[96];
    const int n = successors(s, keys);
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      const u64 key = keys[i], h = mix(key);
      u64& last = recent_[h % recent_count];
      const bool seen = last == key;
      last = key;
      keys[kept] = key;
      mixed[kept] = h;
      __builtin_prefetch(table_.line(h), 1);
      kept += !seen;
    }
    for (int i = 0; i < kept; ++i) queue_[head_++ % queue_size] = {keys[i], mixed[i]};
    drain(waiting_max);
    return n;
  }
  void drain(u64 keep) {
    while (head_ - tail_ > keep) {
      const Waiting& w = queue_[tail_++ % queue_size];
      if (table_.insert(w.mixed)) next_.push_back(w.key);
    }
  }

  Table table_;
  std::vector<u64> recent_, next_;
  std::vector<Waiting> queue_;
  u64 head_ = 0, tail_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::printf("usage: %s LOG2_SLOTS\n", argv[0]);
    return 1;
  }
  const Counts counts = Search(std::atoi(argv[1])).run();
  std::printf("states=%llu transitions=%llu depth=%d\n", static_cast<unsigned long long>(counts.states),
              static_cast<unsigned long long>(counts.transitions), counts.depth);
}
