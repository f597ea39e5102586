// Actors as data: what mutations edit, positions refer to, and every lowering shares.
#pragma once
#include <string>
#include <vector>

#include "model/core/language.hpp"

namespace ptmc {

/// The syntax tree of an actor's text. `fn` counts the steps and conditions of a model in text order, so that
/// it indexes the function table of any domain.
struct Node {
  enum class Kind : u8 { step, block, branch, loop } kind;
  StepKind step = StepKind::step;
  std::string name;
  u64 choices = 1;
  By by = By::none;
  unsigned fn = 0;
  bool guarded = false;
  std::vector<Node> body;
  const void* text = nullptr;  // Equal for equal texts, wherever they stand.
};

struct Instr {
  enum class Op : u8 { step, compute, branch_unless, spare, dropped } op = Op::step;
  enum class Guard : u8 { as_written, always, never } guard = Guard::as_written;
  std::string path;  // "reclaim/try_to_unmap_one/ptep_get_and_clear"
  std::string name;  // "ptep_get_and_clear"
  u64 choices = 1;
  Ctx x;
  unsigned fn = 0;
  unsigned block =
      0;  // Moves stay inside one block: instructions of one body and one iteration share this number.
  unsigned target = 0;         // branch_unless: where to go if the condition fails.
  bool guarded = false;        // The text has a guard: without one, guard-true is no mutant.
  bool looped = false;         // In a loop: x.i tells the iterations apart.
  const void* text = nullptr;  // Of a step: as in Node.

  bool counts() const { return op == Op::step || op == Op::compute; }  // Has a program counter value.
};

struct Actor {
  std::string name;
  u64 self = 0;
  u64 copies = 1;
  Config config;  // Its own copy, so that a knob may be turned for one caller only.
  std::vector<Instr> code;

  std::string label() const { return copies == 1 ? name : name + "[" + std::to_string(self) + "]"; }
  /// Program counter of code[index]: its rank among the instructions that count. code.size(): the number of
  /// them.
  unsigned rank(std::size_t index) const;
  unsigned steps() const { return rank(code.size()); }
};

/// The actors of one instance. Ctx::config of each instruction points into its Actor, so a Program is not
/// copied.
struct Program {
  std::vector<Actor> actors;
  Config environment;  // What the rules of the environment see.
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  Program(Program&&) = default;
};

/// Unrolls loops to the bounds of `config` and links branches.
Actor unroll(const std::string& name, const std::vector<Node>& body, u64 self, u64 copies,
             const Config& config);
/// After editing code or config: points each instruction at its actor's config.
void bind(Program& program);

/// Program counters for which step `a` is done and step `b` is not: first..last, in loop
/// iteration `i` for steps in loops; empty if there is no such iteration. A step is named by its name or by
/// the end of its path. A dropped step keeps its place. Throws std::invalid_argument if the actor has no such
/// step.
struct Range {
  unsigned first, last;
};
Range position(const Actor& actor, const std::string& a, const std::string& b, u64 i);

// ---- from types to nodes ----
template <class... B>
std::vector<Node> describe(const hana::basic_tuple<B...>& body, unsigned& fn);

/// Its address stands for the text of type S.
template <class S>
inline constexpr char text_of_type = 0;

template <StepKind kind, class G, class E>
Node describe_one(const Step<kind, G, E>& s, unsigned& fn) {
  return {Node::Kind::step,
          kind,
          s.name,
          s.choices,
          By::none,
          fn++,
          !std::is_same_v<G, AlwaysOn>,
          {},
          &text_of_type<Step<kind, G, E>>};
}
template <class... B>
Node describe_one(const Block<B...>& b, unsigned& fn) {
  return {Node::Kind::block, {}, b.name, 1, By::none, 0, false, describe(b.body, fn), nullptr};
}
template <class C, class... B>
Node describe_one(const If<C, B...>& b, unsigned& fn) {
  const unsigned condition = fn++;
  return {Node::Kind::branch, {}, "", 1, By::none, condition, false, describe(b.body, fn), nullptr};
}
template <By by, class... B>
Node describe_one(const Loop<by, B...>& b, unsigned& fn) {
  return {Node::Kind::loop, {}, "", 1, by, 0, false, describe(b.body, fn), nullptr};
}
template <class... B>
std::vector<Node> describe(const hana::basic_tuple<B...>& body, unsigned& fn) {
  std::vector<Node> nodes;
  hana::unpack(body, [&](const B&... b) { (nodes.push_back(describe_one(b, fn)), ...); });
  return nodes;
}

}  // namespace ptmc
