// A model over the plain domain as a Stepper: one call for each step, values in structs, names looked up each
// time. Nothing but the actors' text and the mutations is shared with the packed lowering. Tables are made by
// lower_plain.hpp.
#pragma once
#include <memory>

#include "checker/lower/live.hpp"
#include "checker/stepper.hpp"

namespace ptmc {

/// Where actors are. Positions are searched by name at each call.
class PlainWhere {
 public:
  PlainWhere(const Program& program, const std::vector<u64>& counters)
      : program_(program), counters_(counters) {}
  bool in(const char* actor, const char* a, const char* b, u64 i = 0, u64 self = 0) const;
  const Config& config() const { return program_.environment; }

 private:
  const Program& program_;
  const std::vector<u64>& counters_;
};

struct PlainLeaf {
  std::string name;
  unsigned width;
  bool word;
  std::vector<PathIndex> indices;
};

/// A state is a `void*` to the model's State<Plain>.
struct PlainStep {
  bool (*guard)(const void* state, const Ctx& x) = nullptr;
  void (*effect)(void* state, const Ctx& x) = nullptr;
  bool (*test)(const void* state, const Ctx& x) = nullptr;  // Of if_.
};
struct PlainRule {
  bool (*guard)(const void* state, u64 a, u64 b, const Ctx& x) = nullptr;
  void (*effect)(void* state, u64 a, u64 b, const Ctx& x) = nullptr;
};

struct PlainTables {
  std::vector<PlainLeaf> leaves;
  RegisterLeaves registers;
  std::vector<PlainStep> steps;  // By Node::fn.
  std::vector<PlainRule> rules;
  std::vector<bool (*)(const void* state, const PlainWhere& where)> claims;
  std::shared_ptr<void> (*make)() = nullptr;  // All zero.
  std::vector<u64> (*read)(const void* state) = nullptr;
  void (*write)(void* state, const std::vector<u64>& values) = nullptr;
  bool (*seed)(void* state, u64 k, const Config& config) = nullptr;
  ModelText text;
};

/// An instance of the model; states are those of LoweredSystem::describe for the same setup. `tables` must
/// outlive it. Throws as LoweredSystem does; its functions also throw WidthError.
std::unique_ptr<Stepper> plain_stepper(const PlainTables& tables, const Setup& setup);

}  // namespace ptmc
