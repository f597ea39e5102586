// Threads intern words in one pool, whose values are plain: `./ptmc test --tsan` judges the order of
// accesses.
#include <doctest/doctest.h>

#include "checker/explicit.hpp"
#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lowered.hpp"
#include "tests/checker/lower/slots.hpp"

using namespace ptmc;

TEST_CASE("an index is the word's alone, and 0 the word 0") {
  Pool pool;
  CHECK(pool.index(0) == 0);
  const u64 first = pool.index(0x8000'0000'0000'0001), second = pool.index(0x1001);
  CHECK(first != second);
  CHECK(pool.index(0x8000'0000'0000'0001) == first);
  CHECK(pool.value(first) == 0x8000'0000'0000'0001);
  CHECK(pool.value(second) == 0x1001);
  CHECK(pool.value(0) == 0);
}

TEST_CASE("a pool that is full says what to raise") {
  Pool pool;
  for (u64 word = 1; word < Pool::size; ++word) pool.index(word << 12);
  CHECK_THROWS_WITH(pool.index(1),
                    "more than 255 distinct page-table words are reachable: raise Pool::index_bits");
}

TEST_CASE("threads that intern words at a time find the states that one finds") {
  const PackedTables tables = packed_tables<slots::Model>();
  for (unsigned round = 0; round < 20; ++round)
    for (const unsigned threads : {1u, 2u, 8u}) {
      Setup setup;
      setup.actors = {{"worker", 2}};
      const LoweredSystem system(tables, setup);  // Its pool is empty.
      ExploreOptions options;
      options.threads = threads;
      options.stop_at_first = Toggle::off;
      const Exploration found = explore(system, options);
      CHECK(found.states == 8829);
      CHECK(found.edges == 10874);
    }
}
