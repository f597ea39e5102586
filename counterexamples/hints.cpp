#include "counterexamples/hints.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "checker/lower/setup.hpp"
#include "counterexamples/goes_on.hpp"
#include "counterexamples/one_claim.hpp"
#include "counterexamples/same_trace.hpp"

namespace ptmc {
namespace {

using Clock = std::chrono::steady_clock;

struct Survivor {
  Candidate change;
  Price price;
  bool undoes = false;
};

class Search {
 public:
  Search(const Trace& trace, const HintMachines& machines, const HintOptions& options)
      : trace_(trace), machines_(machines), options_(options) {}

  Hints run() {
    std::vector<Survivor> left;
    const std::vector<Candidate> all = candidates(trace_, machines_.program);
    out_.tally.tried = all.size();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (stop()) return ended(all.size() - k + left.size());
      tell(std::to_string(k) + " of " + std::to_string(all.size()) + " candidates");
      examine([&] { cheaply(all[k], left); });
    }
    std::stable_sort(left.begin(), left.end(), [](const Survivor& a, const Survivor& b) {
      return std::tuple(!a.undoes, a.price.total(), a.change.actor_at, a.change.position) <
             std::tuple(!b.undoes, b.price.total(), b.change.actor_at, b.change.position);
    });
    if (!left.empty()) learn_the_machine();
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (stop()) return ended(left.size() - k);
      tell(std::to_string(left.size() - k) + " candidates left to explore");
      examine([&] { wholly(left[k]); });
    }
    return std::move(out_);
  }

 private:
  u64 left_ms() const {
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_).count();
    return static_cast<u64>(spent) >= options_.time_max_ms ? 0
                                                           : options_.time_max_ms - static_cast<u64>(spent);
  }
  bool stop() const { return left_ms() == 0 || (options_.cancel != nullptr && *options_.cancel); }
  void tell(const std::string& text) const {
    if (options_.progress) options_.progress(text);
  }
  Hints ended(std::size_t open) {
    out_.tally.open += open;
    out_.time_ended = true;
    return std::move(out_);
  }

  template <class Examination>
  void examine(Examination examination) {
    try {
      examination();
    } catch (const NotApplicable&) {  // In the whole machine only.
      ++out_.tally.by_error;
    } catch (const WidthError&) {
      ++out_.tally.by_error;
    } catch (const std::invalid_argument&) {
      ++out_.tally.by_error;
    }
  }

  // ---- the machine as it is ----
  void learn_the_machine() {
    for (const auto& whole : machines_.whole) {
      const auto system = whole({});
      ExploreOptions o = limits();
      o.stop_at_first = Toggle::off;
      Known known;
      try {
        known.found = explore(*system, o);
      } catch (const WidthError&) {  // Behind the violation.
        o.stop_at_first = Toggle::on;
        known.found = explore(*system, o);
      }
      before_.push_back(std::move(known));
    }
  }
  ExploreOptions limits() const {
    ExploreOptions o;
    o.threads = options_.threads;
    o.states_max = options_.states_max;
    o.time_max_ms = std::max<u64>(left_ms(), 1);
    o.cancel = options_.cancel;
    return o;
  }

  // ---- what costs little ----
  void cheaply(const Candidate& c, std::vector<Survivor>& left) {
    const auto small = machines_.small({c.mutation});
    if (same_trace_violates(trace_, *small, c)) {
      ++out_.tally.by_trace;
      return;
    }
    ExploreOptions o = limits();
    o.threads = 1;
    o.coverage = Toggle::off;
    const Exploration found = explore(*small, o);
    if (!found.violations.empty()) {
      ++out_.tally.by_small;
      return;
    }
    if (found.outcome != Outcome::exhausted) {
      ++out_.tally.open;
      out_.time_ended = out_.time_ended || found.outcome == Outcome::limit_time;
      return;
    }
    Survivor s{c, {}, code_of(machines_.whole_program({c.mutation})) == machines_.unbroken};
    if (!stuck(small_before(), goes_on(*small), ends_of(c)).empty() || !priced(c, s.price)) {
      ++out_.tally.by_waiting;
      return;
    }
    if (!can_still_fail(c)) {
      ++out_.tally.by_blindness;
      return;
    }
    left.push_back(std::move(s));
  }

  GoesOn goes_on(const System& system) const {
    return ptmc::goes_on(system, options_.states_max, [&] { return stop(); });
  }
  const GoesOn& small_before() {
    if (!small_before_) small_before_ = goes_on(*machines_.small({}));
    return *small_before_;
  }

  // Every green must be able to turn red: with one more step left out, but not the candidate's.
  bool can_still_fail(const Candidate& c) const {
    const Program program = machines_.program({c.mutation});
    std::set<std::string> paths{c.step};
    for (const Actor& a : program.actors)
      for (const Instr& in : a.code) {
        if (!in.counts() || !paths.insert(in.path).second) continue;
        if (stop()) return true;  // Undecided, as all that follows.
        try {
          const auto system = machines_.small({c.mutation, parse_mutation("drop:" + in.path)});
          ExploreOptions o = limits();
          o.threads = 1;
          o.coverage = Toggle::off;
          if (!explore(OneClaim(*system, trace_.predicate), o).violations.empty()) return true;
        } catch (const WidthError&) {
        } catch (const std::invalid_argument&) {  // An actor without steps.
        }
      }
    return false;
  }

  // False: a round that ended before does not end any more.
  bool priced(const Candidate& c, Price& price) {
    if (machines_.tariff == nullptr) return true;
    const auto bills = [&](const More& more) {
      return bills_of(c.actor, machines_.whole_program(more), *machines_.stepper(more), *machines_.tariff);
    };
    if (!bills_.contains(c.actor)) bills_[c.actor] = bills({});
    const auto found = price_of(bills_[c.actor], bills({c.mutation}));
    if (found) price = *found;
    return found.has_value();
  }

  // ---- what costs much ----
  void wholly(const Survivor& s) {
    Hint hint{s.change, s.undoes, s.price, 0, true};
    for (std::size_t w = 0; w < machines_.whole.size(); ++w) {
      const auto system = machines_.whole[w]({s.change.mutation});
      const Exploration found = explore(*system, limits());
      if (!found.violations.empty() || found.deadlocks != 0) {
        ++out_.tally.by_whole;
        return;
      }
      if (found.outcome != Outcome::exhausted) {
        ++out_.tally.open;
        out_.time_ended = out_.time_ended || found.outcome == Outcome::limit_time;
        return;
      }
      if (does_less(*system, found, before_[w].found, *machines_.whole[w]({}))) {
        ++out_.tally.by_cover;
        return;
      }
      Known& before = before_[w];
      if (!before.goes_on) before.goes_on = goes_on(*machines_.whole[w]({}));
      const GoesOn now = goes_on(*system);
      if (!stuck(*before.goes_on, now, ends_of(s.change)).empty()) {
        ++out_.tally.by_waiting;
        return;
      }
      hint.states += found.states;
      hint.all_go_on = hint.all_go_on && now.known && before.goes_on->known;
    }
    out_.found.push_back(std::move(hint));
  }

  static bool does_less(const System& system, const Exploration& now, const Exploration& before,
                        const System& was) {
    for (const Cover& c : before.covers)
      if (c.reached)
        for (const Cover& d : now.covers)
          if (system.predicates()[d.predicate].name == was.predicates()[c.predicate].name && !d.reached)
            return true;
    std::set<std::string> runs;
    for (std::size_t k = 0; k < now.fired.size(); ++k)
      if (now.fired[k] != 0) runs.insert(label(system.actions()[k]));
    for (std::size_t k = 0; k < before.fired.size(); ++k)
      if (before.fired[k] != 0 && was.actions()[k].actor != "hw" && !runs.contains(label(was.actions()[k])))
        return true;
    return false;
  }

  // The last step of its text: where an actor may stop for good if it may stop at all.
  std::set<std::string> ends_of(const Candidate& c) const {
    std::set<std::string> ends;
    const Program program = machines_.whole_program({c.mutation});
    for (const Actor& a : program.actors) {
      if (a.name != c.actor) continue;
      const auto last = std::find_if(a.code.rbegin(), a.code.rend(),
                                     [](const Instr& in) { return in.op == Instr::Op::step; });
      if (last != a.code.rend()) ends.insert(last->path.substr(last->path.find('/') + 1));
    }
    return ends;
  }

  struct Known {
    Exploration found;
    std::optional<GoesOn> goes_on;
  };

  const Trace& trace_;
  const HintMachines& machines_;
  const HintOptions& options_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<Known> before_;  // By whole machine.
  std::map<std::string, Bills> bills_;
  std::optional<GoesOn> small_before_;
  Hints out_;
};

}  // namespace

Hints hints(const Trace& trace, const HintMachines& machines, const HintOptions& options) {
  return Search(trace, machines, options).run();
}

}  // namespace ptmc
