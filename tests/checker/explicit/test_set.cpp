#include <doctest/doctest.h>

#include <barrier>
#include <random>
#include <set>
#include <thread>

#include "checker/explicit/key.hpp"
#include "checker/explicit/set.hpp"

using namespace ptmc;
using namespace ptmc::explicit_engine;

namespace {

constexpr u64 room = u64{64} << 20;

void grow(QuotientSet& set, unsigned threads, double factor) {
  do {
    REQUIRE(set.grow_begin(factor, room));
    std::barrier<> barrier(threads);
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] { set.grow_share(t, [&] { barrier.arrive_and_wait(); }); });
    for (std::thread& t : all) t.join();
  } while (!set.grow_end());
}

/// Random and dense keys, growing at odd factors, against std::set.
void check(unsigned bits, unsigned threads) {
  CAPTURE(bits);
  QuotientSet set(bits, room, threads);
  std::set<u64> reference;
  std::mt19937_64 random(bits);
  const u64 mask = ptmc::bits(bits - 1, 0);
  u64 wrong = 0;  // Not an assertion each: there are millions.
  for (u64 i = 0; i < 60'000; ++i) {
    const u64 key = (i % 3 == 0 ? i : random()) & mask;
    Insert result = set.insert(set.mix(key));
    if (result == Insert::full || reference.size() > set.capacity() * 9 / 10) {
      grow(set, threads, i % 2 == 0 ? 1.3 : 2.1);
      if (result == Insert::full) result = set.insert(set.mix(key));
    }
    wrong += (result == Insert::fresh) != reference.insert(key).second;
  }
  for (const u64 key : reference) wrong += set.insert(set.mix(key)) != Insert::old;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("an exact set at every key width, while it grows") {
  for (const unsigned bits : {1u, 5u, 16u, 20u, 31u, 33u, 40u, 47u, 52u, 63u, 64u}) {
    check(bits, 1);
    check(bits, 3);
  }
}

TEST_CASE("of several threads that insert the same keys, one finds each of them fresh") {
  for (const unsigned bits : {24u, 44u, 64u}) {
    QuotientSet set(bits, room, 4);
    for (int k = 0; k < 3; ++k) grow(set, 4, 2);
    std::vector<u64> fresh(4);
    std::vector<std::thread> all;
    for (unsigned t = 0; t < 4; ++t)
      all.emplace_back([&, t] {
        for (u64 i = 0; i < 100'000; ++i) {
          const u64 key = (i * 0x9E3779B97F4A7C15u) & ptmc::bits(bits - 1, 0);
          fresh[t] += set.insert(set.mix(key)) == Insert::fresh;
        }
      });
    for (std::thread& t : all) t.join();
    std::set<u64> keys;
    for (u64 i = 0; i < 100'000; ++i) keys.insert((i * 0x9E3779B97F4A7C15u) & ptmc::bits(bits - 1, 0));
    CHECK(fresh[0] + fresh[1] + fresh[2] + fresh[3] == keys.size());
  }
}

TEST_CASE("a set that may not grow says so") {
  QuotientSet set(40, u64{512} << 10, 1);
  CHECK(set.grow_begin(1.5, u64{512} << 10));
  set.grow_share(0, [] {});
  CHECK(set.grow_end());
  CHECK_FALSE(set.grow_begin(1.5, u64{512} << 10));
}

TEST_CASE("keys are the live bits, and states come back from them") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Shape shape;
    shape.words = 1 + static_cast<unsigned>(random() % 5);
    for (unsigned w = 0; w < shape.words; ++w) {
      const u64 sparse = random() & random(), kind = random() % 5;
      shape.live.push_back(kind == 0 ? ~u64{0} : kind == 1 ? 0 : kind == 2 ? bits(20, 3) : sparse);
    }
    const KeyLayout layout(shape);
    std::vector<u64> states, keys(4 * layout.key_words()), back(shape.words);
    for (unsigned i = 0; i < 4 * shape.words; ++i) states.push_back(random() & shape.live[i % shape.words]);
    layout.pack(states.data(), 4, keys.data());
    for (unsigned i = 0; i < 4; ++i) {
      layout.unpack(&keys[i * layout.key_words()], back.data());
      CHECK(std::equal(back.begin(), back.end(), &states[i * shape.words]));
    }
    std::vector<u64> portably(keys.size());
    const KeyLayout portable(shape, true);
    portable.pack(states.data(), 4, portably.data());
    CHECK(portably == keys);
    portable.unpack(keys.data(), back.data());
    CHECK(std::equal(back.begin(), back.end(), states.begin()));
    if (layout.bits() % 64 != 0) CHECK((keys[layout.key_words() - 1] >> (layout.bits() % 64)) == 0);
  }
  CHECK(KeyLayout({1, {bits(46, 0)}, 1, false}).identity());
  CHECK(KeyLayout({2, {~u64{0}, bits(9, 0)}, 1, false}).identity());
  CHECK(KeyLayout({2, {bits(60, 20), bits(50, 9)}, 1, false}).identity());
  CHECK_FALSE(KeyLayout({1, {bits(46, 1)}, 1, false}).identity());
  CHECK_FALSE(KeyLayout({2, {bits(40, 0), bits(9, 0)}, 1, false}).identity());
  CHECK(KeyLayout({2, {bits(40, 0), bits(9, 0)}, 1, false}).key_words() == 1);
}
