// Visits the steps and conditions of a model's actors in text order: the order of Node::fn, for any domain's
// tables.
#pragma once
#include "model/core/language.hpp"

namespace ptmc {

/// visit.template step<Registers, Step>() and visit.template condition<Registers, Condition>().
template <class R, class V, class... B>
void collect(const hana::tuple<B...>& body, V& visit);

template <class R, class V, StepKind kind, class G, class E>
void collect_one(const Step<kind, G, E>&, V& visit) {
  visit.template step<R, Step<kind, G, E>>();
}
template <class R, class V, class... B>
void collect_one(const Block<B...>& b, V& visit) {
  collect<R>(b.body, visit);
}
template <class R, class V, By by, class... B>
void collect_one(const Loop<by, B...>& b, V& visit) {
  collect<R>(b.body, visit);
}
template <class R, class V, class C, class... B>
void collect_one(const If<C, B...>& b, V& visit) {
  visit.template condition<R, C>();
  collect<R>(b.body, visit);
}
template <class R, class V, class... B>
void collect(const hana::tuple<B...>& body, V& visit) {
  hana::for_each(body, [&](const auto& b) { collect_one<R>(b, visit); });
}

template <class Model, class V>
void collect_actors(V& visit) {
  hana::for_each(Model::actors, [&](const auto& a) {
    collect<typename std::remove_cvref_t<decltype(a)>::Registers>(a.body, visit);
  });
}

}  // namespace ptmc
