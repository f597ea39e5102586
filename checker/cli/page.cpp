#include "checker/cli/page.hpp"

#include "checker/cli/chart.hpp"

namespace ptmc::cli {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --back: #ffffff; --text: #1c1c1e; --quiet: #5a5a62; --line: #d5d5dc;
  --panel: #f5f5f8; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --back: #17181c; --text: #e6e6ea; --quiet: #a5a6b0;
  --line: #3a3b44;
  --panel: #202127; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 0.75rem 1rem; background: var(--back);
  color: var(--text);
  font: 0.9375rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.2rem; margin: 0 0 0.25rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 0.25rem; border-top: 1px solid var(--line);
  padding-top: 0.75rem; }
h3 { font-size: 0.9375rem; margin: 1rem 0 0.2rem; }
p, ul { margin: 0.25rem 0; }
ul { padding-left: 1.2rem; }
.quiet { color: var(--quiet); }
.chart, .table { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 50rem; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .tick { fill: var(--quiet); text-anchor: middle; font-size: 12px; }
svg .number { font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); fill: none; }
.reference { stroke: var(--quiet); stroke-dasharray: 4 3; fill: none; }
.interval { stroke: var(--accent); stroke-width: 2; fill: none; }
.dot { fill: var(--accent); }
.hollow { fill: var(--back); stroke: var(--accent); stroke-width: 2; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0;
  border-bottom: 1px solid var(--line); }
.other { background: var(--panel); border: 1px dashed var(--quiet); border-radius: 6px;
  padding: 0.5rem 0.75rem;
  margin: 0.75rem 0; }
)";

}  // namespace

std::string page_of(const std::string& title, const std::string& about, const std::string& sections) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n<title>" +
         escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<h1>" + escaped(title) +
         "</h1>\n<p class=\"quiet\">" + escaped(about) + "</p>\n" + sections + "</body>\n</html>\n";
}

}  // namespace ptmc::cli
