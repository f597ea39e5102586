#include "model/core/program.hpp"

#include <stdexcept>

namespace ptmc {
namespace {

struct Unroller {
  const Config& config;
  std::vector<Instr> code;
  unsigned blocks = 0, loops = 0;

  void body(const std::vector<Node>& nodes, const std::string& path, Ctx x) {
    const unsigned block = blocks++;
    for (const Node& n : nodes) one(n, path, x, block);
  }
  void one(const Node& n, const std::string& path, Ctx x, unsigned block) {
    switch (n.kind) {
      case Node::Kind::step: {
        const auto op = n.step == StepKind::step      ? Instr::Op::step
                        : n.step == StepKind::compute ? Instr::Op::compute
                                                      : Instr::Op::spare;
        code.push_back({op,
                        {},
                        path + "/" + n.name,
                        n.name,
                        n.choices,
                        x,
                        n.fn,
                        block,
                        0,
                        n.guarded,
                        loops > 0,
                        n.text});
        break;
      }
      case Node::Kind::block:
        for (const Node& inner : n.body) one(inner, n.name.empty() ? path : path + "/" + n.name, x, block);
        break;
      case Node::Kind::branch: {
        const std::size_t at = code.size();
        code.push_back(
            {Instr::Op::branch_unless, {}, path, "", 1, x, n.fn, block, 0, false, loops > 0, nullptr});
        body(n.body, path, x);
        code[at].target = static_cast<unsigned>(code.size());
        break;
      }
      case Node::Kind::loop:
        ++loops;
        for (x.i = 0; x.i < config.count(n.by); ++x.i) body(n.body, path, x);
        --loops;
        break;
    }
  }
};

}  // namespace

unsigned Actor::rank(std::size_t index) const {
  unsigned rank = 0;
  for (std::size_t k = 0; k < index; ++k) rank += code[k].counts();
  return rank;
}

Actor unroll(const std::string& name, const std::vector<Node>& body, u64 self, u64 copies,
             const Config& config) {
  Unroller u{config, {}, 0};
  Ctx x;
  x.self = self;
  u.body(body, name, x);
  return {name, self, copies, config, std::move(u.code)};
}

void bind(Program& program) {
  for (Actor& a : program.actors)
    for (Instr& in : a.code) in.x.config = &a.config;
}

Range position(const Actor& actor, const std::string& a, const std::string& b, u64 i) {
  auto find = [&](const std::string& name, bool after) {
    long found = -1;
    bool known = false;
    const std::string end = "/" + name;
    for (std::size_t k = 0; k < actor.code.size(); ++k) {
      const Instr& in = actor.code[k];
      const bool named = in.name == name || in.path.ends_with(end);
      if ((!in.counts() && in.op != Instr::Op::dropped) || !named) continue;
      known = true;
      if (found < 0 && (!in.looped || in.x.i == i)) found = actor.rank(k + after * in.counts());
    }
    if (!known) throw std::invalid_argument("actor " + actor.name + " has no step " + name);
    return found;
  };
  const long first = find(a, true), last = find(b, false);
  if (first < 0 || last < 0) return {1, 0};  // The instance has no such iteration.
  return {static_cast<unsigned>(first), static_cast<unsigned>(last)};
}

}  // namespace ptmc
