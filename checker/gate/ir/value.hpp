// What an IR register holds: an integer term, a pointer into a named object, or a struct of values.
#pragma once
#include <z3++.h>

#include <string>
#include <variant>
#include <vector>

#include "checker/gate/ir/module.hpp"

namespace ptmc::gate::ir {

/// Objects are apart from each other: "%n" a local, "@name" a global, "*..." what an unknown pointer points
/// to.
struct Pointer {
  std::string object;
  std::int64_t offset = 0;  // Bytes.
  bool operator==(const Pointer&) const = default;
};

/// An element of an array at a variable index: exactly one condition holds.
using Choice = std::vector<std::pair<z3::expr, Pointer>>;

/// Integers of width 1 are Z3 Booleans, wider ones bit-vectors.
struct Value {
  std::variant<std::monostate, z3::expr, Pointer, std::vector<Value>, Choice> v;

  Value() = default;
  Value(z3::expr term) : v(std::move(term)) {}
  Value(Pointer p) : v(std::move(p)) {}
  Value(std::vector<Value> fields) : v(std::move(fields)) {}
  Value(Choice choice) : v(std::move(choice)) {}

  const z3::expr& term() const {
    if (const auto* t = std::get_if<z3::expr>(&v)) return *t;
    throw Unsupported("arithmetic on a pointer");
  }
  const Pointer& pointer() const {
    if (const auto* p = std::get_if<Pointer>(&v)) return *p;
    throw Unsupported("address computed from an integer");
  }
  bool is_pointer() const { return std::holds_alternative<Pointer>(v); }
};

/// `a` where `condition` holds, else `b`. Two different pointers cannot be merged.
Value merge(const z3::expr& condition, const Value& a, const Value& b);

/// A Boolean as one bit, a bit-vector as it is; and back.
z3::expr as_bits(const z3::expr& term);
z3::expr as_width(const z3::expr& bits, unsigned width);

}  // namespace ptmc::gate::ir
