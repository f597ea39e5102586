#include "checker/trace_itf.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace ptmc {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format = "ITF";
constexpr const char* source = "ptmc";
constexpr u64 json_integer_max = u64{1} << 53;
constexpr const char* endings[] = {"violated", "reached", "deadlock"};

/// FNV-1a of the file without its digest.
std::string digest(const std::string& text) {
  u64 h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(h));
  return hex;
}

Json number(u64 value) {
  if (value < json_integer_max) return value;
  return {{"#bigint", std::to_string(value)}};
}

/// Fields of all states: name, width, whether it is a page-table word.
Json variables(const Trace& trace) {
  Json vars = Json::object();
  for (const DecodedState& state : trace.states)
    for (const Field& field : state)
      if (!vars.contains(field.name)) vars[field.name] = {{"width", field.width}, {"word", field.word}};
  return vars;
}

Json head(const Trace& trace) {
  const TraceSubject& s = trace.subject;
  Json meta = {{"format", format},
               {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
               {"source", source},
               {"claim", s.claim},
               {"instance", s.instance},
               {"arch", s.arch},
               {"features", s.features},
               {"mutations", s.mutations},
               {"machine", Json::object()},
               {"ending", endings[static_cast<int>(trace.ending)]},
               {"predicate", trace.predicate},
               {"sentence", trace.sentence},
               {"fields", variables(trace)}};
  for (const Dimension& d : s.machine) meta["machine"][d.name] = d.value;
  if (s.machine.empty()) meta.erase("machine");
  return meta;
}

Json state_json(const Trace& trace, std::size_t k) {
  Json meta = {{"index", k}};
  if (k > 0) {
    const TraceStep& step = trace.steps[k - 1];
    meta["action"] = step.index;
    meta["actor"] = step.action.actor;
    meta["step"] = step.action.step;
    meta["instance"] = step.action.instance;
  }
  Json state = {{"#meta", meta}};
  for (const Field& field : trace.states[k]) state[field.name] = number(field.value);
  return state;
}

/// `digest_text` is spliced in so that the digest covers the rest of the bytes.
std::string render(const Trace& trace, const std::string& digest_text) {
  const Json meta = head(trace);
  Json vars = Json::array();
  for (const auto& [field, description] : meta["fields"].items()) vars.push_back(field);
  std::string text = "{\n  \"#meta\": {\n";
  for (const auto& [key, value] : meta.items())
    text += "    " + Json(key).dump() + ": " + value.dump() + ",\n";
  text +=
      "    \"digest\": \"" + digest_text + "\"\n  },\n  \"vars\": " + vars.dump() + ",\n  \"states\": [\n";
  for (std::size_t k = 0; k < trace.states.size(); ++k)
    text += "    " + state_json(trace, k).dump() + (k + 1 < trace.states.size() ? ",\n" : "\n");
  return text + "  ]\n}\n";
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& name, Edits edits)
      : text_(text), name_(name), edits_(edits) {}

  Trace read() {
    const Json file = parse();
    if (!file.is_object() || !file.contains("states") || !file["states"].is_array() || !file.contains("vars"))
      fail(1,
           "no trace in ITF: it has no \"vars\" and \"states\"; give a file that `ptmc explore` or `prove` "
           "wrote");
    const Json meta = file.value("#meta", Json::object());
    if (!meta.is_object() || meta.value("source", Json()) != source)
      fail(line_of("\"#meta\""),
           "an ITF trace of another tool; ptmc replays only traces that it wrote itself");
    Trace trace;
    try {
      read_head(meta, trace);
      read_states(file["states"], meta.at("fields"), trace);
    } catch (const nlohmann::json::exception& error) {
      fail(line_, std::string("not as ptmc writes it (") + error.what() + "); write the trace anew");
    }
    const std::string expected = digest(render(trace, ""));
    if (edits_ == Edits::refused && meta.value("digest", Json()) != expected)
      fail(line_of("\"digest\""),
           "changed after it was written (digest does not match); write the trace anew");
    return trace;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw TraceError(name_ + ":" + std::to_string(line) + ": " + what);
  }

  std::size_t line_at(std::size_t offset) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
  }
  std::size_t line_of(const std::string& part, std::size_t from = 0) const {
    const std::size_t at = text_.find(part, from);
    return at == std::string::npos ? 1 : line_at(at);
  }

  Json parse() const {
    const std::size_t end = text_.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) fail(1, "the file is empty; write the trace anew");
    try {
      return Json::parse(text_);
    } catch (const nlohmann::json::parse_error& error) {
      const std::size_t line = line_at(error.byte == 0 ? 0 : error.byte - 1);
      if (error.byte > end + 1) fail(line_at(end), "cut off in the middle; write the trace anew");
      fail(line, "no JSON here; give a file that `ptmc explore` or `prove` wrote");
    }
  }

  void read_head(const Json& meta, Trace& trace) {
    line_ = line_of("\"#meta\"");
    TraceSubject& s = trace.subject;
    meta.at("claim").get_to(s.claim);
    meta.at("instance").get_to(s.instance);
    meta.at("arch").get_to(s.arch);
    meta.at("features").get_to(s.features);
    meta.at("mutations").get_to(s.mutations);
    const Json machine = meta.value("machine", Json::object());
    for (const auto& [name, value] : machine.items()) s.machine.push_back({name, value.get<u64>(), 0});
    meta.at("predicate").get_to(trace.predicate);
    meta.at("sentence").get_to(trace.sentence);
    const auto ending =
        std::find(std::begin(endings), std::end(endings), meta.at("ending").get<std::string>());
    if (ending == std::end(endings))
      fail(line_of("\"ending\""), "an unknown ending; known: violated, reached, deadlock");
    trace.ending = static_cast<Trace::Ending>(ending - std::begin(endings));
  }

  void read_states(const Json& states, const Json& fields, Trace& trace) {
    if (states.empty()) fail(line_of("\"states\""), "no states; write the trace anew");
    std::size_t offset = text_.find("\"states\"");
    for (const Json& state : states) {
      offset = text_.find("\"#meta\"", offset + 1);
      line_ = line_at(offset);
      const Json& meta = state.at("#meta");
      if (!trace.states.empty())
        trace.steps.push_back({meta.at("action").get<u32>(),
                               {meta.at("actor").get<std::string>(), meta.at("step").get<std::string>(),
                                meta.at("instance").get<std::string>()}});
      trace.states.push_back(read_state(state, fields));
    }
  }

  DecodedState read_state(const Json& state, const Json& fields) const {
    DecodedState result;
    for (const auto& [name, value] : state.items()) {
      if (name == "#meta") continue;
      if (!fields.contains(name))
        fail(line_, "variable \"" + name + "\" is declared nowhere; write the trace anew");
      result.push_back({name, read_number(name, value), fields[name].at("width").get<unsigned>(),
                        fields[name].at("word").get<bool>()});
    }
    return result;
  }

  u64 read_number(const std::string& name, const Json& value) const {
    if (value.is_number_unsigned()) return value.get<u64>();
    if (!value.is_object() || !value.contains("#bigint"))
      fail(line_, "variable \"" + name + "\" is no integer; write the trace anew");
    const std::string digits = value["#bigint"].get<std::string>();
    u64 number = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9' || number > (~u64{0} - static_cast<u64>(c - '0')) / 10)
        fail(line_, "variable \"" + name + "\" does not fit 64 bits; write the trace anew");
      number = number * 10 + static_cast<u64>(c - '0');
    }
    return number;
  }

  const std::string& text_;
  const std::string& name_;
  Edits edits_;
  std::size_t line_ = 1;
};

}  // namespace

std::string to_itf(const Trace& trace) { return render(trace, digest(render(trace, ""))); }

Trace from_itf(const std::string& text, const std::string& name, Edits edits) {
  return Reader(text, name, edits).read();
}

std::size_t line_of_state(const std::string& text, std::size_t state) {
  std::size_t at = text.find("\"states\"");
  for (std::size_t k = 0; k <= state && at != std::string::npos; ++k) at = text.find("\"#meta\"", at + 1);
  const auto end = at == std::string::npos ? text.end() : text.begin() + static_cast<std::ptrdiff_t>(at);
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

}  // namespace ptmc
