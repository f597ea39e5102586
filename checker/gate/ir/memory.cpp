#include "checker/gate/ir/memory.hpp"

#include <iterator>

namespace ptmc::gate::ir {

Value merge(const z3::expr& condition, const Value& a, const Value& b) {
  if (condition.is_true()) return a;
  if (condition.is_false()) return b;
  if (const auto* x = std::get_if<z3::expr>(&a.v)) return z3::ite(condition, *x, b.term());
  if (const auto* x = std::get_if<std::vector<Value>>(&a.v)) {
    const auto& y = std::get<std::vector<Value>>(b.v);
    std::vector<Value> fields;
    for (std::size_t i = 0; i < x->size(); ++i) fields.push_back(merge(condition, (*x)[i], y.at(i)));
    return fields;
  }
  if (a.v.index() == b.v.index() && a.is_pointer() && a.pointer() == b.pointer()) return a;
  throw Unsupported("a pointer that depends on a condition");
}

z3::expr as_bits(const z3::expr& term) {
  if (!term.is_bool()) return term;
  return z3::ite(term, term.ctx().bv_val(1, 1), term.ctx().bv_val(0, 1));
}

z3::expr as_width(const z3::expr& bits, unsigned width) {
  return width == 1 && bits.is_bv() ? bits == bits.ctx().bv_val(1, 1) : bits;
}

std::pair<const std::int64_t, Memory::Cell>& Memory::cell(const Pointer& place, unsigned bytes,
                                                          const std::function<Value()>& initial) {
  auto& cells = objects_[place.object];
  const std::int64_t end = place.offset + bytes;
  auto next = cells.upper_bound(place.offset);
  if (next != cells.begin()) {
    auto& before = *std::prev(next);
    const std::int64_t before_end = before.first + before.second.bytes;
    if (before_end >= end) return before;
    if (before_end > place.offset) throw Unsupported("overlapping accesses of " + place.object);
  }
  if (next != cells.end() && next->first < end) throw Unsupported("overlapping accesses of " + place.object);
  return *cells.emplace(place.offset, Cell{bytes, initial()}).first;
}

Value Memory::load(const Pointer& from, unsigned bytes, bool pointer) {
  const auto& [offset, found] = cell(from, bytes, [&] { return fresh_(from, bytes, pointer); });
  if (found.bytes == bytes) return found.value;
  const unsigned low = static_cast<unsigned>(from.offset - offset) * 8;  // Both architectures: little endian.
  return found.value.term().extract(low + bytes * 8 - 1, low);
}

void Memory::store(const Pointer& to, unsigned bytes, const Value& value, const z3::expr& guard) {
  auto& [offset, found] =
      cell(to, bytes, [&] { return guard.is_true() ? value : fresh_(to, bytes, value.is_pointer()); });
  if (found.bytes == bytes) {
    found.value = merge(guard, value, found.value);
    return;
  }
  const z3::expr whole = found.value.term();
  const unsigned low = static_cast<unsigned>(to.offset - offset) * 8, high = low + bytes * 8;
  z3::expr spliced = value.term();
  if (low > 0) spliced = z3::concat(spliced, whole.extract(low - 1, 0));
  if (high < found.bytes * 8) spliced = z3::concat(whole.extract(found.bytes * 8 - 1, high), spliced);
  found.value = z3::ite(guard, spliced, whole);
}

}  // namespace ptmc::gate::ir
