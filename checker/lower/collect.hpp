// Visits the steps and conditions of a model's actors in text order: the order of Node::fn, for any domain's
// tables.
#pragma once
#include "model/core/language.hpp"

namespace ptmc {

/// visit.template step<Registers, Step>() and visit.template condition<Registers, Condition>(). Null pointers
/// stand for the parts: their types are all it takes, and by value each costs some ten functions to compile.
template <class R, class V, StepKind kind, class G, class E>
void collect(const Step<kind, G, E>*, V& visit) {
  visit.template step<R, Step<kind, G, E>>();
}
template <class R, class V, class... B>
void collect(const Block<B...>*, V& visit) {
  (collect<R>(static_cast<const B*>(nullptr), visit), ...);
}
template <class R, class V, By by, class... B>
void collect(const Loop<by, B...>*, V& visit) {
  (collect<R>(static_cast<const B*>(nullptr), visit), ...);
}
template <class R, class V, class C, class... B>
void collect(const If<C, B...>*, V& visit) {
  visit.template condition<R, C>();
  (collect<R>(static_cast<const B*>(nullptr), visit), ...);
}

template <class Model, class V>
void collect_actors(V& visit) {
  hana::for_each(
      Model::actors, [&]<u64 copies, class R, class... B>(const Sequence<copies, R, B...>&) {
        (collect<R>(static_cast<const B*>(nullptr), visit), ...);
      });
}

}  // namespace ptmc
