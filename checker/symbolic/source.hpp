// What the proof engine is given: something that writes down a transition system as terms of any context.
#pragma once

namespace z3 {
class context;
}

namespace ptmc {

struct SymbolicModel;  // checker/symbolic/model.hpp

/// Implementations are immutable after construction and may be called by several threads at once.
class SymbolicSource {
 public:
  virtual ~SymbolicSource() = default;
  /// The same terms in the same order in every call.
  virtual SymbolicModel in(z3::context& context) const = 0;
};

}  // namespace ptmc
