#include "checker/cli/traces.hpp"

#include <algorithm>

#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"
#include "checker/trace_itf.hpp"
#include "counterexamples/graphviz.hpp"
#include "counterexamples/html.hpp"
#include "counterexamples/markdown.hpp"
#include "counterexamples/straighten.hpp"
#include "counterexamples/text.hpp"

namespace ptmc::cli {
namespace {

Voice voice_of(const Claim& claim) { return claim.voice == nullptr ? Voice() : *claim.voice; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

// What a mail about the trace says besides it.
Heading heading_of(const Trace& trace, const Claim& claim) {
  const TraceSubject& s = trace.subject;
  Heading h;
  h.commit = claim.commit;
  if (claim.expected == Verdict::violated) h.what = claim.sentence;
  h.again = "./ptmc prove " + shell_word(s.claim) + " --arch " + shell_word(s.arch);
  for (const std::string& m : s.mutations)
    if (std::count(claim.mutations.begin(), claim.mutations.end(), m) == 0)
      h.again += " --mutate " + shell_word(m);
  return h;
}

struct Format {
  const char *name, *extension;
  std::string (*form)(const Trace&, const Columns&, const Voice&, const Heading&);
};
constexpr Format formats[] = {
    {"text", ".txt",
     [](const Trace& t, const Columns& c, const Voice& v, const Heading& h) {
       return print(t, c, v, h).whole();
     }},
    {"markdown", ".md", to_markdown},
    {"dot", ".dot", to_graphviz},
    {"html", ".html", to_html},
    {"itf", ".itf.json",
     [](const Trace& t, const Columns&, const Voice&, const Heading&) { return to_itf(t); }}};

const Format& format_of(const std::string& name) {
  return *std::find_if(std::begin(formats), std::end(formats),
                       [&](const Format& f) { return f.name == name; });
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& f : formats) names.emplace_back(f.name);
  return names;
}

std::string formatted(const Trace& trace, const Claim& claim, const std::string& format) {
  const Voice voice = voice_of(claim);
  return format_of(format).form(trace, columns_of(trace, voice), voice, heading_of(trace, claim));
}

std::string extension(const std::string& format) { return format_of(format).extension; }

Trace straightened(const Trace& trace, const Claim& claim, const RunOptions& options) {
  if (!claim.system) return trace;
  return straighten(trace, *claim.system(options), {.voice = voice_of(claim)}).trace;
}

std::string printed(const Trace& trace, const Claim& claim) {
  const Voice voice = voice_of(claim);
  return print(trace, columns_of(trace, voice), voice, {claim.commit, ""}).whole();
}

// What no longer exists is bad input, not a disagreement.
const Claim& claim_of(const Trace& t, const std::string& file, const std::vector<Claim>& catalog) {
  const TraceSubject& s = t.subject;
  std::vector<std::string> names;
  for (const Claim& c : catalog) {
    names.push_back(c.name);
    if (c.name != s.claim || c.arch != s.arch || c.instance != s.instance || c.features != joined(s.features))
      continue;
    if (!c.stepper) throw InputError(file + ": claim " + c.name + " has no machine to replay");
    return c;
  }
  const bool known = std::find(names.begin(), names.end(), s.claim) != names.end();
  throw InputError(file + ": no claim '" + s.claim + "' on " + s.arch + " in " + s.instance +
                   (known ? "; it exists elsewhere" : did_you_mean(s.claim, names)));
}

RunOptions options_of(const Trace& trace, RunOptions options) {
  for (const std::string& m : trace.subject.mutations) options.mutations.push_back(parse_mutation(m));
  options.machine = trace.subject.machine;
  return options;
}

}  // namespace ptmc::cli
