// A machine's calls over many tables, as `ptmc time` makes them, timed or counted.
#pragma once
#include <algorithm>
#include <map>
#include <memory>

#include "checker/native/run.hpp"
#include "checker/native/shootdown.hpp"
#include "checker/native/subject.hpp"

namespace ptmc::native {

/// Counts what steps pay for. M: see Calls.
template <class M>
class Counter : public Blocks {
 public:
  explicit Counter(const Tariff& tariff) : tariff_(tariff) { counts_.bill.resize(tariff.items.size()); }
  template <class S>
  void done(const char* name, const S& state, const Ctx&, u64) {
    ++counts_.steps;
    if (const auto item = tariff_.item({M::actor().name, path_of(name), ""})) ++counts_.bill[*item];
    if (const u64 length = M::batch_after(name, state)) ++lengths_[length];
  }
  Way::Counts counts() const {
    Way::Counts all = counts_;
    all.batches.assign(lengths_.begin(), lengths_.end());
    return all;
  }

 private:
  const Tariff& tariff_;
  Way::Counts counts_;
  std::map<u64, u64> lengths_;
};

/// M: what is run.
///   State<D>               of the machine, over domain D
///   actor()                the sequence
///   choices                of a run, one after the other over all entries
///   per_call               entries of a call at most
///   prepare(state)         once
///   begin(state, choice)   before each call
///   batch_after(step, state)   the length of the batch that this step has made ready; 0: it is another step
template <class M, class Policy>
class Calls {
 public:
  using State = typename M::template State<Native<Policy>>;
  explicit Calls(const Config& config) : config_(config), state_(std::make_unique<State>()) {
    M::prepare(*state_);
  }

  template <class Watcher>
  void over(Entry* table, u64 entries, Watcher& watcher) {
    for (const u64 choice : M::choices)
      for (u64 at = 0; at < entries; at += M::per_call) {
        const u64 n = std::min(M::per_call, entries - at);
        config_.bound[static_cast<unsigned>(By::page)] = n;
        config_.bound[static_cast<unsigned>(By::table)] = n;
        state_->pte.a = table + at;
        M::begin(*state_, choice);
        run(M::actor(), *state_, config_, choice, watcher);
      }
  }

 private:
  Config config_;
  std::unique_ptr<State> state_;
};

template <class M>
Loop steps_of(const Config& config) {
  const auto still = std::make_shared<Calls<M, NoFlush>>(config);
  const auto loud = std::make_shared<Calls<M, Shootdown>>(config);
  return [still, loud](Entry* table, u64 entries, Flush flush) {
    Unwatched nobody;
    if (flush == Flush::none)
      still->over(table, entries, nobody);
    else
      loud->over(table, entries, nobody);
  };
}
template <class M>
std::function<Way::Counts(Entry*, u64)> counts_of(const Config& config, const Tariff& tariff) {
  return [config, &tariff](Entry* table, u64 entries) {
    Calls<M, NoFlush> calls(config);
    Counter<M> counter(tariff);
    calls.over(table, entries, counter);
    return counter.counts();
  };
}

/// A flush in a loop written by hand.
inline void flush_by_hand(Flush flush) {
  if (flush == Flush::interrupt) Shootdown{}.flush();
}

}  // namespace ptmc::native
