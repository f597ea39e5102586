#include "checker/explicit/set.hpp"

#include <algorithm>
#include <cstring>

namespace ptmc::explicit_engine {
namespace {

constexpr u64 buckets_first = 4096;   // 256 KiB.
constexpr u64 buckets_serial = 4096;  // Too few to share among threads.

}  // namespace

QuotientSet::QuotientSet(unsigned key_bits, u64 bytes_max, unsigned threads)
    : threads_(threads), pages_(bytes_max), base_(pages_.as<u8>()), left_over_(threads) {
  const unsigned bits = std::max(key_bits, 16u);  // Fewer would leave buckets of less than two keys.
  half_ = (bits + 1) / 2;
  mask_ = ptmc::bits(bits - 1, 0);
  keys_ = static_cast<unsigned __int128>(1) << bits;
  now_ = before_ = geometry(static_cast<u64>(keys_ / buckets_first));
}

QuotientSet::Geometry QuotientSet::geometry(u64 width) const {
  Geometry g{};
  g.width = width;
  g.magic = static_cast<u64>((static_cast<unsigned __int128>(1) << 64) / width);
  g.buckets = static_cast<u64>((keys_ + width - 1) / width);
  const unsigned need = bits_for(width);
  const unsigned displacement_min = 2, displacement_max = 5;
  for (g.extra = 0; g.extra < 4 && need + displacement_min > 31 + 8 * g.extra;)
    g.extra = g.extra == 0 ? 1 : 2 * g.extra;
  g.shift = std::min(displacement_max, 31 + 8 * g.extra - need);
  g.slots = slots_of(g.extra);
  return g;
}

bool QuotientSet::grow_begin(double factor, u64 bytes_max) {
  if (now_.width <= 2) return false;  // Every bucket holds all its keys already.
  const u64 width =
      std::clamp<u64>(static_cast<u64>(static_cast<double>(now_.width) / factor), 2, now_.width - 1);
  const Geometry next = geometry(width);
  if (line_bytes * next.buckets > std::min(bytes_max, pages_.bytes())) return false;
  before_ = now_;
  now_ = next;
  fill_.assign(now_.buckets, 0);
  rounds_.clear();
  u64 high = before_.buckets;
  while (high > buckets_serial) {
    const unsigned __int128 scaled = static_cast<unsigned __int128>(high) * now_.width + before_.width - 1;
    const u64 low = static_cast<u64>(scaled / before_.width);
    if (low >= high) break;
    rounds_.push_back({low, high});
    high = low;
  }
  u64 mixed[16];
  for (u64 b = 0; b < high; ++b) left_over_[0].insert(left_over_[0].end(), mixed, mixed + take(b, mixed));
  return true;
}

void QuotientSet::grow_share(unsigned thread, const std::function<void()>& barrier) {
  for (const Range& round : rounds_) {
    const u64 share = (round.high - round.low + threads_ - 1) / threads_;
    const u64 low = std::min(round.high, round.low + share * thread);
    move_range({low, std::min(round.high, low + share)}, left_over_[thread]);
    barrier();
  }
}

bool QuotientSet::grow_end() {
  std::vector<u64> homeless;
  for (std::vector<u64>& part : left_over_) {
    for (const u64 mixed : part)
      if (!place(mixed, {0, now_.buckets})) homeless.push_back(mixed);
    part.clear();
  }
  left_over_[0] = std::move(homeless);
  fill_ = {};
  return left_over_[0].empty();
}

/// Old buckets `from`, downwards. Writes only to the buckets that correspond to them.
void QuotientSet::move_range(Range from, std::vector<u64>& left_over) {
  const auto scaled = [&](u64 b) {
    return static_cast<u64>(static_cast<unsigned __int128>(b) * before_.width / now_.width);
  };
  const Range to{scaled(from.low), std::min(scaled(from.high), now_.buckets)};
  u64 mixed[16];
  for (u64 b = from.high; b-- > from.low;) {
    const unsigned count = take(b, mixed);
    for (unsigned i = 0; i < count; ++i)
      if (!place(mixed[i], to)) left_over.push_back(mixed[i]);
  }
}

u64 QuotientSet::any_high(const Geometry& g, const u8* line, unsigned slot) {
  return g.extra == 0   ? 0
         : g.extra == 1 ? high<1>(line, slot)
         : g.extra == 2 ? high<2>(line, slot)
                        : high<4>(line, slot);
}

/// Empties an old bucket into `mixed`, returns how many keys it held.
unsigned QuotientSet::take(u64 b, u64* mixed) {
  unsigned count = 0;
  for (unsigned i = 0; i < before_.slots; ++i) {
    const u32 low_part = lows(b)[i];
    if (low_part == 0) break;
    const u64 entry = (low_part & 0x7fffffffu) | any_high(before_, line(b), i) << 31;
    const u64 moved = entry & ((u64{1} << before_.shift) - 1);
    const u64 home = b >= moved ? b - moved : b + before_.buckets - moved;
    mixed[count++] = home * before_.width + (entry >> before_.shift);
  }
  if (count != 0) std::memset(line(b), 0, line_bytes);
  return count;
}

/// False if the key does not fit into the buckets `allowed`; nothing is written then.
bool QuotientSet::place(u64 mixed, Range allowed) {
  u64 rest, b = bucket(now_, mixed, rest), moved = 0;
  for (;; ++moved, b = b + 1 == now_.buckets ? 0 : b + 1) {
    if (b < allowed.low || b >= allowed.high || moved >> now_.shift != 0) return false;
    if (fill_[b] < now_.slots) break;
  }
  const u64 entry = rest << now_.shift | moved;
  const unsigned slot = fill_[b]++;
  lows(b)[slot] = static_cast<u32>(entry) | 0x80000000u;
  if (now_.extra == 1) set_high<1>(line(b), slot, entry >> 31);
  if (now_.extra == 2) set_high<2>(line(b), slot, entry >> 31);
  if (now_.extra == 4) set_high<4>(line(b), slot, entry >> 31);
  return true;
}

}  // namespace ptmc::explicit_engine
