// The litmus tables: per architecture, tiny programs with an outcome that its manual allows and one that it
// forbids, and for each rule of the hardware contract a mutant that turns a row over.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "checker/lower/packed_tables.hpp"
#include "checker/lower/setup.hpp"
#include "checker/lower/stepper_plain.hpp"
#include "model/hw/program.hpp"

namespace ptmc::litmus {

/// `mutation` makes the allowed outcome of `program` unreachable, or its forbidden one reachable, or changes
/// neither.
struct Mutant {
  enum class Turns : u8 { allowed, forbidden, neither };
  const char* mutation;
  const char* program;
  Turns turns;
};

struct Table {
  const char* arch;
  const char* manual;
  std::span<const Program> programs;
  std::span<const Mutant> mutants;
  std::span<const char* const> features;  // By bit of Program::features.
  const PackedTables& packed;
  const PlainTables& plain;
};

const Table& x86_64();
const Table& arm64();

/// The instance that explores programs[index] of the table.
Setup setup_of(const Table& table, std::size_t index);
/// "HA HD"; empty for none.
std::string features_of(const Table& table, const Program& program);

}  // namespace ptmc::litmus
