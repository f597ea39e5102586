// What a command line asks for, after CLI11 has read it.
#pragma once
#include <string>
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::cli {

struct Options {
  std::string command;  // "prove"
  std::vector<std::string> claims;
  std::string arch = "all";
  RunOptions run;
  bool json = false;
  bool against_itself = false;     // time: the baseline in every way's place.
  bool kernel = false;             // time: system calls of the running kernel.
  bool paths = false;              // list: what --mutate may name.
  std::string output;              // The report goes to this file instead of standard output.
  std::string traces;              // A folder for one ITF file a violation.
  std::string format;              // Of a trace; empty: text for replay, ITF for --traces.
  std::string file;                // replay, minimise
  std::string save;                // minimise: where the smallest trace goes.
  std::string tree;                // conform
  std::vector<std::string> edits;  // conform
  std::string subject;             // bench
  std::string again;  // The command that reproduces this run, for reports: without what does not change them.
};

/// What reading the command line came to: options, or a text to print (help, version) instead.
struct Parsed {
  Options options;
  std::string help;
};

/// Throws InputError with the nearest legal spelling.
Parsed parse(int argc, const char* const* argv);

/// "2000000", "2M", "2 M" with k, M, G (powers of 1000). Throws InputError; zero is refused: an empty run is
/// an error.
u64 parse_count(const std::string& option, const std::string& text);
/// "512M", "2G", "1048576" with K, M, G, T (powers of 1024, also spelt KiB). Bytes.
u64 parse_bytes(const std::string& option, const std::string& text);
/// "90", "90s", "1.5m", "250ms", "2h". Milliseconds.
u64 parse_time_ms(const std::string& option, const std::string& text);

}  // namespace ptmc::cli
