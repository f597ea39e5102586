#include "checker/cli/conform.hpp"

#include "checker/cli/log.hpp"
#include "checker/gate/conform.hpp"

namespace ptmc::cli {

Exit conform(const Options& options, Output& out) {
  gate::ConformOptions wanted;
  wanted.tree = options.tree;
  wanted.arch = options.arch;
  for (const std::string& edit : options.edits) wanted.edits.push_back(gate::parse_edit(edit));
  wanted.progress = [](const std::string& text) { show_progress(text); };
  const gate::ConformReport report = gate::conform(wanted);
  show_progress("");
  deliver(options, options.json ? gate::conform_json(report) : gate::conform_text(report), out);
  return gate::exit_of(report);
}

}  // namespace ptmc::cli
