// Small systems with known state counts, written by hand against the erased interface.
#pragma once
#include <algorithm>
#include <functional>
#include <utility>

#include "checker/system.hpp"

namespace ptmc::toys {

using Words = std::vector<u64>;
using Move = std::pair<u32, Words>;  // Action, successor; a successor may be shorter than Shape::words if
                                     // lengths vary.

/// A system made of functions.
struct Toy final : System {
  Shape form;
  std::vector<Action> names;
  std::vector<Predicate> claims;
  std::vector<Words> starts;
  std::function<void(const Words&, std::vector<Move>&)> moves;
  std::function<u64(const Words&)> news = [](const Words&) { return u64{0}; };
  std::function<void(Words&)> representative;
  std::function<std::vector<Field>(const Words&)> decoded;  // Words as fields if absent.

  const Shape& shape() const override { return form; }
  const std::vector<Action>& actions() const override { return names; }
  const std::vector<Predicate>& predicates() const override { return claims; }
  void initial(std::vector<u64>& states) const override {
    for (Words start : starts) {
      start.resize(form.words);
      states.insert(states.end(), start.begin(), start.end());
    }
  }
  u32 successors(const u64* state, const Batch& out) const override {
    std::vector<Move> all;
    moves(words(state), all);
    for (u32 k = 0; k < all.size(); ++k) {
      Words& next = all[k].second;
      if (form.variable) out.length[k] = static_cast<u32>(next.size());
      next.resize(form.words);
      std::copy(next.begin(), next.end(), out.words + u64{k} * form.words);
      out.action[k] = all[k].first;
    }
    return static_cast<u32>(all.size());
  }
  u64 check(const u64* state) const override { return news(words(state)); }
  void canonical(u64* state) const override {
    if (!representative) return;
    Words w = words(state);
    representative(w);
    std::copy(w.begin(), w.end(), state);
  }
  bool has_symmetry() const override { return static_cast<bool>(representative); }
  std::vector<Field> describe(const u64* state) const override {
    if (decoded) return decoded(words(state));
    std::vector<Field> fields;
    for (u32 i = 0; i < form.words; ++i) fields.push_back({"word[" + std::to_string(i) + "]", state[i], 64});
    return fields;
  }

 private:
  Words words(const u64* state) const { return {state, state + form.words}; }
};

/// Counts 0 .. last in steps of 1 and 2; "big" is violated from `bad` on, "half" reached at last / 2. The
/// last value has no successor. last + 1 states, 2 * last - 1 edges, depth (last + 1) / 2.
inline Toy counter(u64 last, u64 bad = ~u64{0}) {
  Toy t;
  t.form = {1, {bits(bits_for(last + 1) - 1, 0)}, 2, false};
  t.names = {{"counter", "one", ""}, {"counter", "two", ""}};
  t.claims = {{"big", "the counter stays small", Predicate::Kind::always},
              {"half", "half way", Predicate::Kind::sometimes},
              {"never", "beyond the end", Predicate::Kind::sometimes}};
  t.starts = {{0}};
  t.moves = [last](const Words& s, std::vector<Move>& out) {
    for (u32 step = 1; step <= 2; ++step)
      if (s[0] + step <= last) out.push_back({step - 1, {s[0] + step}});
  };
  t.news = [last, bad](const Words& s) { return u64{s[0] >= bad} | u64{s[0] == last / 2} << 1; };
  t.decoded = [](const Words& s) { return std::vector<Field>{{"n", s[0], 16}}; };
  return t;
}

/// Peterson's mutual exclusion, or with `broken` a version that forgets to wait. Two bits of position a
/// process, a flag each, the turn.
inline Toy mutex(bool broken = false) {
  Toy t;
  t.form = {1, {bits(3, 0) | bits(11, 10) | bit(20)}, 2, false};  // Holes: keys are compressed.
  for (const char* actor : {"process[0]", "process[1]"})
    for (const char* step : {"flag", "turn", "enter", "leave"}) t.names.push_back({actor, step, ""});
  t.claims = {{"mutex", "at most one process is inside", Predicate::Kind::always},
              {"inside", "a process is inside", Predicate::Kind::sometimes}};
  t.starts = {{0}};
  const auto pc = [](u64 s, u64 p) { return (s >> (2 * p)) & 3; };
  const auto flag = [](u64 s, u64 p) { return (s >> (10 + p)) & 1; };
  t.moves = [=](const Words& w, std::vector<Move>& out) {
    const u64 s = w[0];
    for (u64 p = 0; p < 2; ++p) {
      const u64 at = pc(s, p), up = s + (u64{1} << (2 * p)), down = s & ~(u64{3} << (2 * p)), other = 1 - p;
      const u32 action = static_cast<u32>(4 * p + at);
      const bool free = flag(s, other) == 0 || (s >> 20) == p;
      if (at == 0) out.push_back({action, {up | bit(static_cast<unsigned>(10 + p))}});
      if (at == 1) out.push_back({action, {(up & ~bit(20)) | other << 20}});
      if (at == 2 && (free || broken)) out.push_back({action, {up}});
      if (at == 3) out.push_back({action, {down & ~bit(static_cast<unsigned>(10 + p))}});
    }
  };
  t.news = [=](const Words& s) {
    const bool a = pc(s[0], 0) == 3, b = pc(s[0], 1) == 3;
    return u64{a && b} | u64{a || b} << 1;
  };
  return t;
}

/// A queue of up to `room` letters 0, 1, 2 with one word a letter, after a word with the length: push and
/// pop. (3^(room + 1) - 1) / 2 states.
inline Toy queue(u32 room) {
  Toy t;
  t.form = {room + 1, std::vector<u64>(room + 1, bits(2, 0)), 4, true};
  t.form.live[0] = ~u64{0};
  for (const char* letter : {"letter=0", "letter=1", "letter=2"})
    t.names.push_back({"queue", "push", letter});
  t.names.push_back({"queue", "pop", ""});
  t.claims = {{"twos", "the queue is not full of twos", Predicate::Kind::always}};
  t.starts = {{0}};
  t.moves = [room](const Words& s, std::vector<Move>& out) {
    const u64 length = s[0];
    for (u64 letter = 0; letter < 3 && length < room; ++letter) {
      Words next(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(length) + 1);
      next[0] = length + 1;
      next.push_back(letter);
      out.push_back({static_cast<u32>(letter), next});
    }
    if (length > 0) {
      Words next{length - 1};
      next.insert(next.end(), s.begin() + 2, s.begin() + 1 + static_cast<std::ptrdiff_t>(length));
      out.push_back({3, next});
    }
  };
  t.news = [room](const Words& s) {
    u64 twos = 0;
    for (u64 i = 1; i <= s[0]; ++i) twos += s[i] == 2;
    return u64{twos == room};
  };
  return t;
}

/// `digits` digits to base `base`, spread with `stride` bits a digit over as many words as that takes; each
/// may be raised and wraps. base^digits states, digits * base^digits edges. The canonical state has its
/// digits sorted.
inline Toy odometer(u32 digits, u64 base, unsigned stride, u64 bad_sum = ~u64{0}) {
  Toy t;
  const u32 each = 64 / stride, words = (digits + each - 1) / each;
  t.form = {words, std::vector<u64>(words), digits, false};
  for (u32 d = 0; d < digits; ++d) {
    t.form.live[d / each] |= bits(stride - 1, 0) << (d % each * stride);
    t.names.push_back({"digit[" + std::to_string(d) + "]", "raise", ""});
  }
  t.claims = {{"sum", "the sum of digits stays below a bound", Predicate::Kind::always}};
  t.starts = {Words(words)};
  const auto digit = [=](const Words& s, u32 d) {
    return (s[d / each] >> (d % each * stride)) & bits(stride - 1, 0);
  };
  const auto set = [=](Words& s, u32 d, u64 value) {
    s[d / each] &= ~(bits(stride - 1, 0) << (d % each * stride));
    s[d / each] |= value << (d % each * stride);
  };
  t.moves = [=](const Words& s, std::vector<Move>& out) {
    for (u32 d = 0; d < digits; ++d) {
      out.push_back({d, s});
      set(out.back().second, d, (digit(s, d) + 1) % base);
    }
  };
  t.news = [=](const Words& s) {
    u64 sum = 0;
    for (u32 d = 0; d < digits; ++d) sum += digit(s, d);
    return u64{sum >= bad_sum};
  };
  t.representative = [=](Words& s) {
    std::vector<u64> all;
    for (u32 d = 0; d < digits; ++d) all.push_back(digit(s, d));
    std::sort(all.begin(), all.end());
    for (u32 d = 0; d < digits; ++d) set(s, d, all[d]);
  };
  t.decoded = [=](const Words& s) {
    std::vector<Field> fields;
    for (u32 d = 0; d < digits; ++d)
      fields.push_back({"digit[" + std::to_string(d) + "]", digit(s, d), stride});
    return fields;
  };
  return t;
}

}  // namespace ptmc::toys
