// What measuring one seed's system calls on the running kernel came to. Plain data; nothing here prints.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/native/statistics.hpp"

namespace ptmc::native::kernel {

struct Environment;

/// Ctrl-C came: everything that was changed is as it was again.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// This machine cannot do it; the text is a whole sentence that says why.
struct Impossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Exact, and the same in each run: "262,144 entries".
struct Count {
  u64 value;
  std::string what;
};

struct Row {
  std::string name;  // "64 KiB mTHP"; unique in its report, at most 28 columns.
  std::vector<Count> counts;
  std::string verified;  // How it is known that the pages are what the name says, or "not verified: ...";
                         // empty: as the other row of the same pages.
  std::string unit;      // Of `value`: "ns an entry"
  std::optional<Estimate> value;
  std::string against;            // What `ratio` divides by, another row mostly; empty: nothing.
  std::optional<Estimate> ratio;  // Of paired runs.

  /// "faster", "fewer", "no difference", ...: `ratio` in a word. Empty without one, or without an interval.
  std::string comparison() const;
};

struct KernelReport {
  std::string seed;                    // "000"
  std::string sentence;                // What is measured.
  std::vector<std::string> published;  // The seed's own figures: another machine's, in another unit.
  std::vector<Row> rows;
  std::vector<std::string> notes;      // What to know when reading; the same in each run.
  std::vector<std::string> findings;   // What follows from this run's numbers.
  std::vector<std::string> could_not;  // What could not be done here, and why.

  bool measured() const {
    for (const Row& r : rows)
      if (r.value) return true;
    return false;
  }
};

struct Context {
  const Environment& environment;
  const std::atomic<bool>* cancel = nullptr;                // May be null.
  std::function<void(const std::string& text)> progress{};  // May be empty.

  void tell(const std::string& text) const {
    if (progress) progress(text);
  }
  /// Throws Stopped.
  void stop_if_asked() const {
    if (cancel != nullptr && *cancel) throw Stopped();
  }
};

}  // namespace ptmc::native::kernel
