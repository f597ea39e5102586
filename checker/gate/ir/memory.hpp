// Byte-addressed memory of one evaluation: no other thread writes while the function runs.
#pragma once
#include <functional>
#include <map>

#include "checker/gate/ir/value.hpp"

namespace ptmc::gate::ir {

class Memory {
 public:
  /// The value of memory that nobody wrote, an integer or a pointer.
  using Fresh = std::function<Value(const Pointer&, unsigned bytes, bool pointer)>;
  explicit Memory(Fresh fresh) : fresh_(std::move(fresh)) {}

  Value load(const Pointer& from, unsigned bytes, bool pointer);
  /// Takes effect where `guard` holds.
  void store(const Pointer& to, unsigned bytes, const Value& value, const z3::expr& guard);

 private:
  struct Cell {
    unsigned bytes;
    Value value;
  };
  /// The cell that contains the range, made if nothing is there. Throws Unsupported on partial overlap.
  std::pair<const std::int64_t, Cell>& cell(const Pointer& place, unsigned bytes,
                                            const std::function<Value()>& initial);

  Fresh fresh_;
  std::map<std::string, std::map<std::int64_t, Cell>> objects_;
};

}  // namespace ptmc::gate::ir
