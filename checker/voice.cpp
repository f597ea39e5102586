#include "checker/voice.hpp"

#include <charconv>

namespace ptmc {

std::string_view plain_name(std::string_view field) {
  constexpr std::string_view suffix = ".word";
  return field.ends_with(suffix) ? field.substr(0, field.size() - suffix.size()) : field;
}

namespace {

bool matches(std::string_view pattern, std::string_view name, std::vector<std::string>& captured) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] != '*')
    return !name.empty() && name[0] == pattern[0] && matches(pattern.substr(1), name.substr(1), captured);
  for (std::size_t n = 0; n <= name.size(); ++n) {
    captured.emplace_back(name.substr(0, n));
    if (matches(pattern.substr(1), name.substr(n), captured)) return true;
    captured.pop_back();
    if (n < name.size() && (name[n] == '.' || name[n] == ']')) break;
  }
  return false;
}

u64 value(const DecodedState& state, std::string_view name) {
  for (const Field& f : state)
    if (plain_name(f.name) == name) return f.value;
  return 0;
}

}  // namespace

Moment::Moment(const Trace& t, std::size_t k)
    : trace(t), action(t.steps.at(k).action), before(t.states.at(k)), after(t.states.at(k + 1)) {}

std::optional<std::vector<std::string>> match_field(std::string_view pattern, std::string_view name) {
  std::vector<std::string> captured;
  if (!matches(pattern, plain_name(name), captured)) return std::nullopt;
  return captured;
}

std::optional<Moment::Change> Moment::change(std::string_view pattern) const {
  for (std::size_t k = 0; k < after.size(); ++k) {
    const u64 old = k < before.size() && before[k].name == after[k].name ? before[k].value : 0;
    Change found{{}, old, after[k].value};
    if (old != after[k].value && matches(pattern, plain_name(after[k].name), found.captured)) return found;
  }
  return std::nullopt;
}

u64 Moment::now(std::string_view name) const { return value(after, name); }
u64 Moment::was(std::string_view name) const { return value(before, name); }

std::optional<u64> Moment::index_of(std::string_view instance, std::string_view kind) {
  for (std::size_t at = 0; at < instance.size();) {
    const std::string_view part = instance.substr(at, instance.find(", ", at) - at);
    at += part.size() + 2;
    if (!part.starts_with(kind) || part.size() <= kind.size() || part[kind.size()] != '=') continue;
    u64 n = 0;
    const char* end = part.data() + part.size();
    if (std::from_chars(part.data() + kind.size() + 1, end, n).ptr == end) return n;
  }
  return std::nullopt;
}

}  // namespace ptmc
