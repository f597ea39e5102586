// The helper tables: complete signatures, and one meaning in both domains.
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "properties/words/helpers.hpp"

using namespace ptmc;
using namespace ptmc::words;

namespace {

std::string name_of_argument(unsigned i) { return "a" + std::to_string(i); }

// Words that helpers branch on: random bits, few bits, many bits, and neighbours of all of these.
u64 interesting_word(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return random();
    case 1:
      return random() & random() & random();
    case 2:
      return random() | random() | random();
    default:
      return bit(static_cast<unsigned>(random() % 64)) | (random() & bits(11, 0));
  }
}

// The term of one helper over constants, evaluated at numbers.
class Evaluated {
 public:
  Evaluated(z3::context& context, const Helper& helper)
      : context_(context), cpu_(free_cpu(context)), term_(context) {
    Arguments arguments;
    for (unsigned i = 0; i < helper.args.size(); ++i) {
      inputs_.push_back(context.bv_const(name_of_argument(i).c_str(), 64));
      arguments.emplace_back(inputs_.back());
    }
    term_ = helper.apply(arguments, cpu_).e;
  }
  unsigned width() const { return term_.get_sort().bv_size(); }
  u64 at(const Values& values, const Features<bool, u64>& cpu) {
    z3::expr_vector from(context_), to(context_);
    const auto bind = [&](const z3::expr& input, const z3::expr& value) {
      from.push_back(input);
      to.push_back(value);
    };
    const auto word = [&](u64 v) { return context_.bv_val(static_cast<std::uint64_t>(v), 64); };
    for (std::size_t i = 0; i < inputs_.size(); ++i) bind(inputs_[i], word(values[i]));
    bind(cpu_.shstk.e, context_.bool_val(cpu.shstk));
    bind(cpu_.la57.e, context_.bool_val(cpu.la57));
    bind(cpu_.poe.e, context_.bool_val(cpu.poe));
    bind(cpu_.epan.e, context_.bool_val(cpu.epan));
    bind(cpu_.migration_ad.e, context_.bool_val(cpu.migration_ad));
    bind(cpu_.supported_pte_mask.e, word(cpu.supported_pte_mask));
    z3::expr copy = term_;
    return copy.substitute(from, to).simplify().get_numeral_uint64();
  }

 private:
  z3::context& context_;
  Cpu cpu_;
  std::vector<z3::expr> inputs_;
  z3::expr term_;
};

}  // namespace

TEST_CASE("each layout has its helpers, once") {
  const unsigned expected[] = {182, 161, 181, 162};
  for (const Layout layout : layouts) {
    CAPTURE(name_of(layout).name);
    std::set<std::string> names;
    for (const Helper& helper : helpers(layout)) {
      CAPTURE(helper.name);
      CHECK(names.insert(helper.name).second);
      CHECK(helper.args.size() >= 1);
      CHECK((helper.form == Form::function || helper.args[0] == helper.result));
    }
    CHECK(names.size() == expected[static_cast<unsigned>(layout)]);
  }
}

TEST_CASE("a helper over numbers and the same helper over terms agree") {
  std::mt19937_64 random(1);
  for (const Layout layout : layouts) {
    z3::context context;
    for (const Helper& helper : helpers(layout)) {
      CAPTURE(name_of(layout).name);
      CAPTURE(helper.name);
      Evaluated terms(context, helper);
      CHECK(terms.width() == 64);
      unsigned different = 0;
      for (unsigned k = 0; k < 20; ++k) {
        Values values{};
        for (u64& value : values) value = interesting_word(random);
        const auto toss = [&] { return random() % 2 == 0; };
        const Features<bool, u64> cpu{toss(), toss(), toss(), toss(), toss(), toss() ? ~u64{0} : random()};
        different += helper.evaluate(values, cpu) != terms.at(values, cpu);
      }
      CHECK(different == 0);
    }
  }
}
