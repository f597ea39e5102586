#include "checker/cli/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "checker/cli/select.hpp"
#include "checker/cli/traces.hpp"
#include "checker/lone_run.hpp"

namespace ptmc::cli {
namespace {

using Clock = std::chrono::steady_clock;

Result blank(const Claim& c) {
  Result r;
  r.claim = c.name, r.instance = c.instance, r.arch = c.arch, r.features = c.features,
  r.property = c.property;
  r.expected = c.expected;
  return r;
}

// A claim that breaks the catalogue's contract proves nothing.
void demand_evidence(const Claim& c, const std::vector<Result>& results) {
  auto fail = [&](const std::string& what) { throw InternalError(c.name + " on " + c.arch + ": " + what); };
  if (results.empty()) fail("returned no result");
  for (const Result& r : results) {
    if (r.verdict == Verdict::violated && r.trace == nullptr && r.reason.empty())
      fail("a violation without a counterexample");
    if ((r.verdict == Verdict::unknown || r.verdict == Verdict::n_a) && r.reason.empty())
      fail("the verdict " + std::string(to_string(r.verdict)) + " without a reason");
  }
}

// A trace that cannot be reordered by running it again is no run of the claim's machine.
void straighten_all(const Claim& c, const RunOptions& options, std::vector<Result>& results) {
  try {
    for (Result& r : results)
      if (r.trace) r.trace = std::make_shared<const Trace>(straightened(*r.trace, c, options));
  } catch (const std::invalid_argument& error) {
    throw InternalError(c.name + " on " + c.arch + ": the trace is no run: " + error.what());
  }
}

class Runner {
 public:
  Runner(const std::vector<Claim>& claims, const RunOptions& options, const Listener& listener)
      : claims_(claims), options_(options), listener_(listener), runs_(claims.size()) {
    state_.claims = claims.size();
    workers_ =
        static_cast<unsigned>(std::min<std::size_t>(std::max(1u, options.explore.threads), claims.size()));
  }

  std::vector<ClaimRun> run() {
    std::vector<std::jthread> threads;
    for (unsigned k = 1; k < workers_; ++k) threads.emplace_back([this] { work(); });
    work();
    threads.clear();
    if (cancelled()) throw Interrupted();
    if (failure_) std::rethrow_exception(failure_);
    if (!foreign_.empty() && foreign_.size() + absent_ == claims_.size()) reject_mutation();
    report();
    std::vector<ClaimRun> runs;
    for (auto& r : runs_) runs.push_back(std::move(*r));
    return runs;
  }

 private:
  // The engine's progress, told on behalf of a claim.
  struct Relay : Observer {
    Runner& runner;
    const Claim& claim;
    Relay(Runner& r, const Claim& c) : runner(r), claim(c) {}
    void progress(const Progress& now) override {
      const std::lock_guard lock(runner.mutex_);
      runner.state_.claim = &claim;
      runner.state_.progress = now;
      if (runner.listener_.progress) runner.listener_.progress(runner.state_);
    }
  };

  bool cancelled() const { return options_.explore.cancel != nullptr && *options_.explore.cancel; }

  void work() {
    while (true) {
      std::size_t k = 0;
      {
        const std::lock_guard lock(mutex_);
        if (next_ == claims_.size() || failure_ || cancelled()) return;
        k = next_++;
      }
      try {
        finish(k, one(k));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  ClaimRun one(std::size_t k) {
    const Claim& claim = claims_[k];
    Relay relay(*this, claim);
    RunOptions options = options_;
    options.explore.threads = std::max(1u, options_.explore.threads / workers_);
    options.observer = &relay;
    ClaimRun run{&claim, {}, 0};
    const auto begin = Clock::now();
    try {
      run.results = claim.run(options);
      demand_evidence(claim, run.results);
      straighten_all(claim, options, run.results);
      if (claim.expected == Verdict::n_a && std::all_of(run.results.begin(), run.results.end(), is_absent)) {
        const std::lock_guard lock(mutex_);
        ++absent_;
      }
    } catch (const InternalError&) {
      throw;
    } catch (const std::invalid_argument& error) {
      if (options.mutations.empty())
        throw InternalError(claim.name + " on " + claim.arch + ": " + error.what());
      run.results = {blank(claim)};
      run.results[0].verdict = Verdict::n_a;
      run.results[0].reason = error.what();
      const std::lock_guard lock(mutex_);
      foreign_[k] = error.what();
    } catch (const WidthError& error) {
      run.results = {strayed(claim, error)};  // A word that names no frame or page of the model.
    } catch (const Endless& error) {
      run.results = {strayed(claim, error)};
    } catch (const std::exception& error) {
      throw InternalError(claim.name + " on " + claim.arch + ": " + error.what());
    }
    run.wall_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    return run;
  }

  /// Fine for what was changed; what was not has to stay within its model.
  Result strayed(const Claim& claim, const std::exception& error) const {
    if (options_.mutations.empty())
      throw InternalError(claim.name + " on " + claim.arch + ": " + error.what());
    Result r = blank(claim);
    r.verdict = Verdict::unknown;
    r.reason = std::string("the mutation leads out of the model: ") + error.what();
    return r;
  }

  void finish(std::size_t k, ClaimRun run) {
    const std::lock_guard lock(mutex_);
    runs_[k] = std::move(run);
    ++state_.claims_done;
    if (cancelled()) return;
    // A mutation that means nothing anywhere is bad input: nothing is printed before it is known to mean
    // something. More are foreign than done where another worker has just found one more.
    if (options_.mutations.empty() || foreign_.size() + absent_ < state_.claims_done) report();
  }

  void report() {
    for (; reported_ < runs_.size() && runs_[reported_]; ++reported_)
      if (listener_.done) listener_.done(*runs_[reported_]);
  }
  static bool is_absent(const Result& r) { return r.verdict == Verdict::n_a; }

  [[noreturn]] void reject_mutation() const {
    const std::vector<std::string> paths = paths_of(claims_);
    // The first reason, but what has steps knows better.
    const auto has_steps = [&](const auto& why) { return claims_[why.first].paths != nullptr; };
    const auto better = std::find_if(foreign_.begin(), foreign_.end(), has_steps);
    std::string text = (better == foreign_.end() ? foreign_.begin() : better)->second;
    for (const Mutation& m : options_.mutations)
      if (std::find(paths.begin(), paths.end(), m.path) == paths.end()) {
        const std::string near = did_you_mean(m.path, paths);
        if (!near.empty()) text = "nothing here is called " + m.path + near;
      }
    throw InputError("--mutate: " + text + " (`ptmc list --paths` shows what may be named)");
  }

  const std::vector<Claim>& claims_;
  const RunOptions& options_;
  const Listener& listener_;
  unsigned workers_ = 1;
  std::mutex mutex_;
  std::vector<std::optional<ClaimRun>> runs_;
  RunnerState state_;
  std::size_t next_ = 0, reported_ = 0;
  std::map<std::size_t, std::string> foreign_;  // Claims to which a mutation means nothing, and why.
  std::size_t absent_ = 0;                      // Claims about what is not there.
  std::exception_ptr failure_;
};

}  // namespace

std::vector<ClaimRun> run_claims(const std::vector<Claim>& claims, const RunOptions& options,
                                 const Listener& listener) {
  return Runner(claims, options, listener).run();
}

}  // namespace ptmc::cli
