// One search: level-synchronous threads over a store.
#pragma once
#include <barrier>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "checker/explicit.hpp"
#include "checker/explicit/clock.hpp"
#include "checker/explicit/history.hpp"
#include "checker/explicit/progress.hpp"

namespace ptmc::explicit_engine {

/// What ended a search; `none`: every level was expanded.
enum class Halt : u8 { none, violation, states, memory, time, cancelled, error };

/// The parts of a result that a search counts, with the states that traces are wanted to.
struct Counted {
  Tally total;
  std::array<std::optional<u32>, 64> level;  // Per predicate: the first level with news.
  std::optional<u32> deadlock_level;
  double cpu_s = 0, serial_s = 0;
  u64 peak_bytes = 0;
};

/// `Store`: NarrowStore or WideStore.
template <class Store>
class Search final : public History {
 public:
  /// `stop`: predicates whose news end the search. `witness`: those whose least state is wanted.
  Search(const System& system, const ExploreOptions& options, unsigned threads, u64 stop, u64 witness,
         Observer* observer)
      : system_(system),
        options_(options),
        threads_(threads),
        symmetric_(options.symmetry == Toggle::on && system.has_symmetry()),
        coverage_(options.coverage == Toggle::on),
        stop_(stop),
        witness_(witness),
        store_(system.shape(), options.memory_max_bytes, threads),
        barrier_(threads),
        reporter_(observer) {
    for (unsigned k = 0; k < system.predicates().size(); ++k)
      if (system.predicates()[k].kind == Predicate::Kind::sometimes) covers_ |= bit(k);
    system.initial(seeds_);
    if (seeds_.empty()) throw std::invalid_argument("a system without initial states cannot be explored");
    counted_.total.fired.resize(coverage_ ? system.actions().size() : 0);
  }

  Halt run() {
    std::vector<Worker> workers;
    workers.reserve(threads_);
    for (unsigned i = 0; i < threads_; ++i) workers.emplace_back(*this, i);
    workers_ = &workers;
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads_; ++i) others.emplace_back([&, i] { work(workers[i]); });
    work(workers[0]);
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
    if (halt_ != Halt::none) check_level(workers[0]);
    for (const Worker& worker : workers) counted_.cpu_s += worker.cpu_s;
    return halt_;
  }

  Counted& counted() { return counted_; }
  bool symmetric() const { return symmetric_; }
  u64 states() const { return states_; }
  u32 depth() const { return static_cast<u32>(levels_.size()) - 2; }

  u64 level_begin(u32 level) const override { return levels_[level]; }
  u64 level_end(u32 level) const override { return levels_[level + 1]; }
  u64 advance(u64 position, u64 states, u64 end) const override {
    return store_.advance(position, states, end);
  }
  const u64* read(u64& position, u64* room) const override { return store_.read(position, room); }

 private:
  enum class Next : u8 { expand, grow, finish };

  struct alignas(128) Worker {  // Its counters change with each state: no line is shared with another's.
    Worker(const Search& search, unsigned number)
        : id(number),
          lane(search.store_, search.system_.shape().fan_out_max),
          next(search.system_.shape()),
          room(search.system_.shape().words) {
      tally.fired.resize(search.counted_.total.fired.size());
    }
    unsigned id;
    typename Store::Lane lane;
    Successors next;
    std::vector<u64> room;
    Tally tally;
    u64 from = 0, to = 0;  // Claimed positions that are not expanded yet.
    double cpu_s = 0;
  };

  void work(Worker& me);
  void expand(Worker& me);
  void seed(Worker& me);
  bool claim(Worker& me);
  bool visit(Worker& me);
  void note(Tally& tally, const u64* state, u64 news);
  Found found(const u64* state) const {
    return {system_.describe(state), {state, state + system_.shape().words}};
  }

  void decide();
  void finish_level();
  void settle(Tally& level);
  void check_level(Worker& worker);
  void watch_limits();
  bool seeding() const { return levels_.back() == 0; }
  void sync() {
    if (threads_ > 1) barrier_.arrive_and_wait();
  }
  void halt(Halt why) {
    Halt none = Halt::none;
    halt_.compare_exchange_strong(none, why);
  }

  const System& system_;
  const ExploreOptions& options_;
  const unsigned threads_;
  const bool symmetric_, coverage_;
  const u64 stop_, witness_;
  u64 covers_ = 0, settled_ = 0;  // Settled: news at an earlier level.
  Store store_;
  std::vector<u64> seeds_;
  std::size_t seeded_ = 0;
  std::vector<u64> levels_{
      0, 0};        // Level k lies at positions levels_[k] .. levels_[k + 1]; the last may be growing.
  u64 states_ = 0;  // Of complete levels.
  u64 chunk_ = 1;
  Next next_ = Next::expand;
  std::atomic<u64> position_{0};
  std::atomic<bool> grow_{false};
  std::atomic<Halt> halt_{Halt::none};
  std::barrier<> barrier_;
  std::vector<Worker>* workers_ = nullptr;
  Counted counted_;
  Reporter reporter_;
  Stopwatch watch_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace ptmc::explicit_engine
