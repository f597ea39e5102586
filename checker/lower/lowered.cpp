#include "checker/lower/lowered.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace ptmc {
namespace {

u64 get(const u64* words, unsigned offset, unsigned bits) {
  const u64 mask = bits >= 64 ? ~u64{0} : bit(bits) - 1;
  return (words[offset / 64] >> (offset % 64)) & mask;
}
void set(u64* words, unsigned offset, unsigned bits, u64 value) {
  const u64 mask = bits >= 64 ? ~u64{0} : bit(bits) - 1;
  u64& w = words[offset / 64];
  w = (w & ~(mask << (offset % 64))) | (value << (offset % 64));
}

std::atomic<u64> systems{1};

}  // namespace

LoweredSystem::LoweredSystem(const PackedTables& tables, const Setup& setup)
    : tables_(tables), instance_(instantiate(tables.text, setup)), fuse_(setup.fuse), id_(systems++) {
  environment_.config = &instance_.program.environment;
  for (std::size_t k = 0; k < tables.text.predicates.size(); ++k) {
    const Predicate& p = tables.text.predicates[k];
    if (p.kind == Predicate::Kind::lemma && !setup.lemmas) continue;
    if (std::count(setup.predicates_off.begin(), setup.predicates_off.end(), p.name) != 0) continue;
    if (k >= 64) throw std::length_error("a model has at most 64 properties, covers and lemmas");
    predicates_.push_back(p);
    wanted_ |= bit(static_cast<unsigned>(k));
  }
  place_counters();
  name_actions();
  find_live();
  find_chunks();
}

void LoweredSystem::place_counters() {
  unsigned at = tables_.state_bits;
  for (const Actor& a : instance_.program.actors) {
    Counter c{0, bits_for(std::max(a.steps(), 1u)), 0, {}, {}, {}};
    c.mask = static_cast<u32>(bit(c.bits) - 1);
    c.offset = at / 64 == (at + c.bits - 1) / 64 ? at : (at + 63) / 64 * 64;
    at = c.offset + c.bits;
    for (unsigned k = 0; k < a.code.size(); ++k) {
      const Instr::Op op = a.code[k].op;
      const bool stops = op == Instr::Op::step || (op == Instr::Op::compute && !fuse_);
      c.value.push_back(stops ? static_cast<int>(c.instr.size()) : -1);
      if (a.code[k].counts()) c.instr.push_back(k);
    }
    if (c.instr.empty()) throw std::invalid_argument("actor " + a.label() + " has no steps left");
    counters_.push_back(std::move(c));
  }
  shape_.words = std::max(1u, (at + 63) / 64);
}

void LoweredSystem::name_actions() {
  for (std::size_t a = 0; a < counters_.size(); ++a) {
    const Actor& actor = instance_.program.actors[a];
    for (const unsigned k : counters_[a].instr) {
      const Instr& in = actor.code[k];
      const unsigned after = k + 1 < actor.code.size() ? k + 1 : 0;
      counters_[a].stops.push_back({&in, tables_.steps[in.fn].fire, static_cast<u32>(actions_.size()), after,
                                    counters_[a].value[after]});
      for (u64 c = 0; c < in.choices; ++c)
        actions_.push_back({actor.label(), in.path.substr(in.path.find('/') + 1),
                            in.choices > 1 ? "choice=" + std::to_string(c) : ""});
    }
  }
  const Config& config = instance_.program.environment;
  bool one_word = shape_.words == 1 && tables_.environment_of_one_word != nullptr;
  for (std::size_t r = 0; r < tables_.text.rules.size(); ++r) {
    const RuleText& rule = tables_.text.rules[r];
    RulePlan plan{config.count(rule.first), config.count(rule.second), static_cast<u32>(actions_.size()),
                  instance_.rules[r] == Instr::Guard::as_written};
    if (plan.first > tables_.rule_extents[r].first || plan.second > tables_.rule_extents[r].second)
      throw std::invalid_argument("rule " + rule.name + ": bounds exceed the model's arrays");
    if (instance_.rules[r] == Instr::Guard::never) plan.first = 0;
    for (u64 a = 0; a < plan.first; ++a)
      for (u64 b = 0; b < plan.second; ++b) actions_.push_back({"hw", rule.name, instance_name(rule, a, b)});
    plan_.push_back(plan);
    one_word = one_word && (plan.first == 0 ||
                            (plan.guarded && std::pair(plan.first, plan.second) == tables_.rule_extents[r]));
  }
  rules_ = one_word ? tables_.environment_of_one_word : tables_.environment;
  shape_.fan_out_max = static_cast<unsigned>(actions_.size());
}

void LoweredSystem::find_live() {
  std::set<unsigned> owned, present;
  for (std::size_t a = 0; a < tables_.registers.size(); ++a)
    for (std::size_t self = 0; self < tables_.registers[a].size(); ++self) {
      const auto& offsets = tables_.registers[a][self];
      owned.insert(offsets.begin(), offsets.end());
      for (const Actor& actor : instance_.program.actors)
        if (actor.name == tables_.text.actors[a].name && actor.self == self)
          present.insert(offsets.begin(), offsets.end());
    }
  shape_.live.assign(shape_.words, 0);
  for (const Leaf& leaf : tables_.leaves) {
    const bool live = within_bounds(leaf.indices, instance_.program.environment) &&
                      (!owned.contains(leaf.offset) || present.contains(leaf.offset));
    live_leaf_.push_back(live);
    some_absent_ = some_absent_ || !live;
    if (live) set(shape_.live.data(), leaf.offset, leaf.bits, leaf.bits >= 64 ? ~u64{0} : bit(leaf.bits) - 1);
  }
  for (const Counter& c : counters_)
    if (c.instr.size() > 1) set(shape_.live.data(), c.offset, c.bits, bit(c.bits) - 1);
}

u32 LoweredSystem::counter(const u64* state, std::size_t actor) const {
  const Counter& c = counters_[actor];
  return static_cast<u32>(state[c.offset / 64] >> (c.offset % 64)) & c.mask;
}
void LoweredSystem::set_counter(u64* state, std::size_t actor, u32 value) const {
  const Counter& c = counters_[actor];
  u64& word = state[c.offset / 64];
  word = (word & ~(u64{c.mask} << (c.offset % 64))) | u64{value} << (c.offset % 64);
}

// Follows branches from code[at] to the next step, running compute steps on the way if they are fused.
void LoweredSystem::settle(u64* state, std::size_t actor, std::size_t at) const {
  const auto& code = instance_.program.actors[actor].code;
  for (std::size_t budget = 4 * code.size() + 4; budget-- > 0;) {
    if (at >= code.size()) at = 0;
    if (const int value = counters_[actor].value[at]; value >= 0)
      return set_counter(state, actor, static_cast<u32>(value));
    const Instr& in = code[at];
    if (in.op == Instr::Op::branch_unless) {
      at = tables_.steps[in.fn].test(state, in.x) ? at + 1 : in.target;
      continue;
    }
    if (in.op == Instr::Op::compute) tables_.steps[in.fn].fire(state, state, shape_.words, in.x, in.guard);
    ++at;
  }
  throw std::invalid_argument("actor " + instance_.program.actors[actor].label() +
                              " comes to no step any more");
}

void LoweredSystem::initial(std::vector<u64>& states) const {
  const PoolScope scope(pool_);
  std::vector<u64> s(shape_.words);
  for (u64 k = 0; tables_.seed(s.data(), k, instance_.program.environment); ++k) {
    for (std::size_t a = 0; a < counters_.size(); ++a) settle(s.data(), a, 0);
    for (unsigned w = 0; w < shape_.words; ++w) s[w] &= shape_.live[w];
    states.insert(states.end(), s.begin(), s.end());
    std::fill(s.begin(), s.end(), 0);
  }
}

u32 LoweredSystem::successors(const u64* state, const Batch& out) const {
  const PoolScope scope(pool_);
  u32 count = 0;
  const unsigned n = shape_.words;
  for (std::size_t a = 0; a < counters_.size(); ++a) {
    const Stop& stop = counters_[a].stops[counter(state, a)];
    const Instr& in = *stop.instr;
    const auto fire = [&](const Ctx& x) {
      u64* to = out.words + count * n;
      if (!stop.fire(state, to, n, x, in.guard)) return;
      if (stop.next >= 0)
        set_counter(to, a, static_cast<u32>(stop.next));
      else
        settle(to, a, stop.after);
      out.action[count++] = stop.action + static_cast<u32>(x.k);
    };
    try {
      fire(in.x);
      if (in.choices > 1)
        for (Ctx x = in.x; ++x.k < in.choices;) fire(x);
    } catch (const WidthError& e) {
      throw WidthError(in.path + ": " + e.what());
    }
  }
  const Batch rest{out.words + count * n, out.action + count, nullptr};
  count += rules_(state, n, rest, plan_.data(), environment_);
  if (some_absent_)  // A rule may write a register of an absent actor; nobody reads it.
    for (u32 k = 0; k < count; ++k)
      for (unsigned w = 0; w < n; ++w) out.words[k * n + w] &= shape_.live[w];
  return count;
}

u64 LoweredSystem::check(const u64* state) const {
  const PoolScope scope(pool_);
  std::array<u32, 32> counters;  // Not cleared: this runs once a state.
  for (std::size_t a = 0; a < counters_.size(); ++a) counters[a] = counter(state, a);
  const Where where(instance_.program, {counters.data(), counters_.size()}, id_);
  const u64 by_text = tables_.check(state, where, wanted_);
  if (by_text == 0) return 0;
  u64 news = 0, rank = 0;  // From the model's numbering to that of predicates().
  for (unsigned k = 0; k < 64; ++k)
    if ((wanted_ >> k & 1) != 0) news |= (by_text >> k & 1) << rank++;
  return news;
}

std::vector<Field> LoweredSystem::describe(const u64* state) const {
  std::vector<Field> fields;
  for (std::size_t k = 0; k < tables_.leaves.size(); ++k) {
    if (!live_leaf_[k]) continue;
    const Leaf& leaf = tables_.leaves[k];
    const u64 raw = get(state, leaf.offset, leaf.bits);
    fields.push_back({leaf.name, leaf.word ? pool_.value(raw) : raw, leaf.width, leaf.word});
  }
  for (std::size_t a = 0; a < counters_.size(); ++a)
    fields.push_back(
        {instance_.program.actors[a].label() + ".pc", counter(state, a), counters_[a].bits, false});
  return fields;
}

const Instr& LoweredSystem::next(const u64* state, std::size_t actor) const {
  return instance_.program.actors[actor].code[counters_[actor].instr[counter(state, actor)]];
}

// ---- symmetry of CPUs ----
void LoweredSystem::find_chunks() {
  symmetric_ = instance_.program.environment.symmetric[static_cast<unsigned>(By::cpu)];
  if (symmetric_ < 2) return;
  // Leaves of CPU 0 in order; those of the other CPUs follow from the equal structure of array elements.
  std::vector<std::vector<const Leaf*>> by_cpu(symmetric_);
  for (const Leaf& leaf : tables_.leaves)
    for (const PathIndex& i : leaf.indices)
      if (i.by == By::cpu && i.value < symmetric_) by_cpu[i.value].push_back(&leaf);
  for (std::size_t k = 0; k < by_cpu[0].size(); ++k) {
    if (!within_bounds(by_cpu[0][k]->indices, instance_.program.environment)) continue;
    Chunk c{by_cpu[0][k]->bits, by_cpu[0][k]->word, {}};
    for (u64 cpu = 0; cpu < symmetric_; ++cpu) c.offset.push_back(by_cpu[cpu][k]->offset);
    if (!chunks_.empty() && !c.word && !chunks_.back().word && chunks_.back().bits + c.bits <= 64) {
      Chunk& last = chunks_.back();
      bool adjacent = true;
      for (u64 cpu = 0; cpu < symmetric_; ++cpu)
        adjacent = adjacent && last.offset[cpu] + last.bits == c.offset[cpu] &&
                   last.offset[cpu] / 64 == (c.offset[cpu] + c.bits - 1) / 64;
      if (adjacent) {
        last.bits += c.bits;
        continue;
      }
    }
    chunks_.push_back(std::move(c));
  }
}

void LoweredSystem::canonical(u64* state) const {
  if (symmetric_ < 2) return;
  auto value = [&](const Chunk& c, u64 cpu) {
    const u64 raw = get(state, c.offset[cpu], c.bits);
    return c.word ? pool_.value(raw) : raw;  // Pool indices differ from run to run.
  };
  auto less = [&](u64 a, u64 b) {
    for (const Chunk& c : chunks_)
      if (const u64 x = value(c, a), y = value(c, b); x != y) return x < y;
    return false;
  };
  for (u64 i = 1; i < symmetric_; ++i)  // Insertion sort: two or three CPUs.
    for (u64 j = i; j > 0 && less(j, j - 1); --j)
      for (const Chunk& c : chunks_) {
        const u64 x = get(state, c.offset[j], c.bits), y = get(state, c.offset[j - 1], c.bits);
        set(state, c.offset[j], c.bits, y);
        set(state, c.offset[j - 1], c.bits, x);
      }
}

}  // namespace ptmc
