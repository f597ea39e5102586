#include "checker/cli/peers.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>

#include "checker/explicit.hpp"
#include "checker/verdict.hpp"

namespace ptmc::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* sources = PTMC_SOURCE_DIR "/tests/peers";

[[noreturn]] void fail(const std::string& what, const Cost& cost) {
  throw InternalError(what + " failed: " + cost.output.substr(0, 1000));
}

u64 number_in(const Cost& cost, const char* pattern, const std::string& tool) {
  std::smatch m;
  if (cost.status != 0 || !std::regex_search(cost.output, m, std::regex(pattern))) fail(tool, cost);
  return std::stoull(m[1].str());
}

// Of a hash table with room for that many.
int bits_of(u64 states) { return std::max(20, static_cast<int>(std::bit_width(states))); }

ToolRow row_of(const std::string& tool, const Cost& cost, const char* states, const char* transitions) {
  ToolRow row{
      tool, number_in(cost, states, tool), number_in(cost, transitions, tool), cost.cpu_s, cost.wall_s, 0, 1};
  row.bytes_per_state = static_cast<double>(cost.peak_bytes) / static_cast<double>(row.states);
  return row;
}

}  // namespace

ToolRow explored(const System& system, unsigned threads, const std::atomic<bool>* cancel) {
  const Cost cost = measure_work([&] {
    ExploreOptions options;
    options.threads = threads;
    options.cancel = cancel;
    options.memory_max_bytes = u64{2} << 30;
    options.stop_at_first = Toggle::off;
    const Exploration found = explore(system, options);
    if (!found.complete) throw InternalError("the exploration did not end within 2 GiB");
    return fmt::format("states={} transitions={}", found.states, found.edges);
  });
  ToolRow row = row_of("ptmc", cost, "states=(\\d+)", "transitions=(\\d+)");
  row.threads = threads;
  return row;
}

Peers::Peers() {
  std::string name = (fs::temp_directory_path() / "ptmc-peers-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw InternalError("no temporary folder: " + std::string(std::strerror(errno)));
  folder_ = name;
}
Peers::~Peers() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Peers::build(const std::string& name, const std::string& script) {
  if (fs::exists(folder_ + "/" + name)) return;
  const Cost cost = measure_program({"sh", "-ec", script}, folder_);
  if (cost.status != 0) fail("building " + name, cost);
}

ToolRow Peers::spin(const ToySize& s) {
  const std::string name = fmt::format("spin-{}-{}", s.cpus, s.pages);
  build(name, fmt::format("python3 '{}/gen_spin.py' {} {} > m.pml; spin -a m.pml; "
                          "gcc -O2 -DSAFETY -DNOREDUCE -o {} pan.c",
                          sources, s.cpus, s.pages, name));
  // The hash table and the stack are as large as they need to be.
  const Cost cost = measure_program(
      {"./" + name, "-n", fmt::format("-w{}", bits_of(s.states)), fmt::format("-m{}", s.states)}, folder_);
  if (cost.output.find("errors: 0") == std::string::npos) fail("SPIN", cost);
  return row_of("SPIN", cost, "(\\d+) states, stored", "(\\d+) transitions");
}

ToolRow Peers::packed(const ToySize& s) {
  const std::string name = fmt::format("packed-{}-{}", s.cpus, s.pages);
  build(name,
        fmt::format("g++ -O3 -march=native -std=c++20 -DCPUS={} -DPAGES={} '{}/hand_packed/bfs.cpp' -o {}",
                    s.cpus, s.pages, sources, name));
  const Cost cost = measure_program({"./" + name, std::to_string(bits_of(s.states * 3 / 2))}, folder_);
  return row_of("hand-packed", cost, "states=(\\d+)", "transitions=(\\d+)");
}

}  // namespace ptmc::cli
