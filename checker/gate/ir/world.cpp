#include "checker/gate/ir/world.hpp"

#include <algorithm>

namespace ptmc::gate::ir {

World::World(z3::context& context, const Policy& p)
    : c(context),
      policy(p),
      memory([this](const Pointer& place, unsigned bytes, bool pointer) -> Value {
        std::string name = place.object.starts_with('@') ? place.object.substr(1) : place.object;
        if (place.offset != 0) name += "+" + std::to_string(place.offset);
        if (pointer) return Pointer{"*" + name, 0};
        if (place.object.starts_with('%')) return unknown(bytes * 8);
        return symbol(name, bytes * 8);
      }),
      defined(context.bool_val(true)),
      once(context.bool_val(true)) {}

z3::expr World::symbol(const std::string& name, unsigned width) {
  const auto known =
      std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.name == name; });
  if (known != symbols.end()) return known->term;
  const auto bound = policy.bindings.find(name);
  z3::expr term = width == 1 ? c.bool_const(name.c_str()) : c.bv_const(name.c_str(), width);
  if (bound != policy.bindings.end()) term = bound->second;
  symbols.push_back({name, term});
  return term;
}

z3::expr World::unknown(unsigned width) {
  const std::string name = "undefined " + std::to_string(locals++);
  return width == 1 ? c.bool_const(name.c_str()) : c.bv_const(name.c_str(), width);
}

void World::skip(const std::string& what) {
  if (std::find(skipped.begin(), skipped.end(), what) == skipped.end()) skipped.push_back(what);
}

}  // namespace ptmc::gate::ir
