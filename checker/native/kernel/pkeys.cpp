// Seed 003: what switching a protection key costs, by the number of writes between two switches. The seed
// guards the kernel's page tables on arm64; a process can measure only its own keys.
#include <sys/mman.h>
#include <sys/random.h>

#include <array>
#include <cerrno>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/seeds.hpp"

namespace ptmc::native::kernel {
namespace {

#ifdef __x86_64__

constexpr std::array<u64, 6> batches{1, 4, 16, 64, 256, 1024};
constexpr u64 writes = u64{1} << 16;  // A run.
constexpr u64 words = 1024;           // Written to, in turn: two page tables' worth, always in the cache.
constexpr u64 rounds = 40;
constexpr double limit_ms = 10'000;
constexpr double overhead_max = 1.05;

std::uint32_t read_pkru() {
  std::uint32_t low = 0, high = 0;
  asm volatile(".byte 0x0f, 0x01, 0xee" : "=a"(low), "=d"(high) : "c"(0) : "memory");  // rdpkru
  return low;
}
void write_pkru(std::uint32_t value) {
  asm volatile(".byte 0x0f, 0x01, 0xef" : : "a"(value), "c"(0), "d"(0) : "memory");  // wrpkru
}

void store(volatile u64& word, u64 value) { word = value; }
void exchange(volatile u64& word, u64 value) { __atomic_exchange_n(&word, value, __ATOMIC_SEQ_CST); }

/// Memory under a key of its own. The key is closed to writes but within `Open`s.
class Guarded {
 public:
  explicit Guarded(u64 bytes) : region_(bytes, bytes) {
    map_anonymous(region_.begin(), bytes);
    region_.begin()[0] = std::byte{1};
    key_ = ::pkey_alloc(0, 0);
    if (key_ < 0) throw Impossible(failure("no protection key is free"));
    if (::pkey_mprotect(region_.begin(), bytes, PROT_READ | PROT_WRITE, key_) != 0) {
      const std::string why = failure("pkey_mprotect");
      ::pkey_free(key_);
      throw Impossible(why);
    }
    open = read_pkru() & ~(3u << (2 * key_));
    closed = open | (2u << (2 * key_));
  }
  ~Guarded() {
    write_pkru(open);
    ::munmap(region_.begin(), region_.bytes());  // Nothing has the key when it is given back.
    ::pkey_free(key_);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  volatile u64* table() const { return reinterpret_cast<volatile u64*>(region_.begin()); }
  /// By a system call that writes there: it fails where a store would.
  bool writable(std::uint32_t pkru) const {
    write_pkru(pkru);
    const bool wrote = ::getrandom(region_.begin(), 1, GRND_NONBLOCK) == 1;
    const bool denied = !wrote && errno == EFAULT;
    write_pkru(open);
    return wrote || !denied;
  }

  std::uint32_t open = 0, closed = 0;

 private:
  Region region_;
  int key_ = -1;
};

template <auto write, bool switched>
double run(const Guarded& g, u64 batch) {
  volatile u64* const table = g.table();
  const double begin = now_ns();
  for (u64 done = 0; done < writes; done += batch) {
    if constexpr (switched) write_pkru(g.open);
    for (u64 k = 0; k < batch; ++k) write(table[(done + k) % words], k);
    if constexpr (switched) write_pkru(g.closed);
  }
  const double ns = now_ns() - begin;
  if constexpr (switched) write_pkru(g.open);
  return ns / static_cast<double>(writes);
}

std::string row_name(const char* kind, u64 batch) {
  return std::string(kind) + ", batches of " + std::to_string(batch);
}

// The shortest batch from which on the overhead is surely below 5%.
std::string threshold(const char* kind, const std::vector<Row>& rows, std::size_t first) {
  std::string found;
  for (std::size_t b = batches.size(); b-- > 0;) {
    if (!(rows[first + b].ratio->bounded() && rows[first + b].ratio->high < overhead_max)) break;
    found = std::to_string(batches[b]);
  }
  const std::string what = std::string(kind) + ": the overhead ";
  return found.empty()
             ? what + "is not surely below 5% at " + std::to_string(batches.back()) + " writes a batch."
             : what + "is below 5% from " + found + " writes a batch on, of the lengths measured.";
}

void measure(const Guarded& g, const Context& context, KernelReport& report) {
  std::vector<std::function<double()>> runs;
  for (const u64 b : batches) {
    runs.emplace_back([&g, b] { return run<store, true>(g, b); });
    runs.emplace_back([&g, b] { return run<store, false>(g, b); });
  }
  for (const u64 b : batches) {
    runs.emplace_back([&g, b] { return run<exchange, true>(g, b); });
    runs.emplace_back([&g, b] { return run<exchange, false>(g, b); });
  }
  for (const auto& r : runs) r();  // To warm up.
  Turns turns{.rounds = rounds, .limit_ms = limit_ms, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("003: keys, round " + std::to_string(done + 1) + " of " + std::to_string(rounds));
  };
  const auto values = in_turns(runs, turns);
  context.stop_if_asked();
  const std::string state = "the closed key denies a write there, the open one does not";
  std::size_t at = 0;
  for (const char* kind : {"store", "xchg"}) {
    for (const u64 b : batches) {
      const std::vector<Count> counts{{2 * writes / b, "switches"}, {writes, "writes"}};
      Row row{row_name(kind, b),           counts, state, "ns a write", estimate(values[at]),
              "the same without switches", {}};
      row.ratio = ratio_of(values[at], values[at + 1]);
      report.rows.push_back(row);
      at += 2;
    }
    report.findings.push_back(threshold(kind, report.rows, report.rows.size() - batches.size()));
  }
}

void measure_keys(const Context& context, KernelReport& report) {
  const Guarded guarded(words * sizeof(u64));
  if (guarded.writable(guarded.closed) || !guarded.writable(guarded.open))
    throw Impossible("The key does not guard its memory: nothing is measured.");
  measure(guarded, context, report);
}

#else

void measure_keys(const Context&, KernelReport&) {
  throw Impossible("Keys are switched by x86-64's WRPKRU here; arm64's POR_EL0 is not written yet.");
}

#endif

}  // namespace

KernelReport measure_pkeys(const Context& context) {
  KernelReport report;
  report.seed = "003";
  report.sentence = "A protection key opened before each batch of writes and closed after it";
  report.published = {
      "arm64, keys on the kernel's own page tables, slowdown without and with batching: fork h:0 221.39% and "
      "3.35%, fork "
      "h:1 282.89% and 6.99%, munmap h:1 172.61% and 8.08%, vmalloc p:16 h:0 65.81% and 2.97%, kernbench "
      "system time "
      "4.18% and 3.18%"};
  report.notes = {
      "PKRU is the user-space analogue: no page table is written, and no barrier follows as on arm64."};
  if (!context.environment.pku) {
    report.could_not.push_back(
        "This system offers user space no protection keys (x86: ospke in /proc/cpuinfo).");
    return report;
  }
  try {
    measure_keys(context, report);
  } catch (const Impossible& error) {
    report.could_not.push_back(error.what());
  }
  return report;
}

}  // namespace ptmc::native::kernel
