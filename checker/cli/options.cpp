#include "checker/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "checker/cli/help.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"

namespace ptmc::cli {
namespace {

// Texts of options whose units or spellings CLI11 does not know.
struct Raw {
  std::string bounds = "default";
  std::vector<std::string> mutate;
  std::string states, memory, time, threads;
};

void report_options(CLI::App& c, Options& o) {
  c.add_flag("--json", o.json, "A report for machines");
  c.add_option("--output", o.output, "Write the report to FILE")->option_text("FILE");
}

void run_options(CLI::App& c, Options& o, Raw& raw) {
  c.add_option("CLAIM", o.claims, "Claims, families, instances or patterns")->option_text("...");
  c.add_option("--arch", o.arch, "x86_64, arm64 or all")->option_text("ARCH");
  c.add_option("--bounds", raw.bounds, "default, or full: larger, slower")->option_text("BOUNDS");
  c.add_option("--mutate", raw.mutate, "Change the code first; repeatable")
      ->option_text("MUTATION")
      ->take_all();
  c.add_option("--threads", raw.threads, "Default: all cores")->option_text("N");
  c.add_option("--limit-states", raw.states, "For each claim: 2M")->option_text("N");
  c.add_option("--limit-memory", raw.memory, "For each claim: 2G")->option_text("BYTES");
  c.add_option("--limit-time", raw.time, "For each claim: 90s, 5m")->option_text("TIME");
  report_options(c, o);
}

CLI::App* command(CLI::App& app, const char* name, const char* text, const char* footer) {
  CLI::App* c = app.add_subcommand(name, text);
  c->footer(footer);
  c->get_formatter()->column_width(26);
  return c;
}

void declare(CLI::App& app, Options& o, Raw& raw) {
  app.footer(about_footer);
  app.get_formatter()->column_width(26);
  app.require_subcommand(1);
  CLI::App* list = command(app, "list", "What there is to prove", "");
  list->add_option("CLAIM", o.claims, "Claims, families, instances or patterns")->option_text("...");
  list->add_option("--arch", o.arch, "x86_64, arm64 or all")->option_text("ARCH");
  list->add_flag("--paths", o.paths, "What --mutate may name");
  report_options(*list, o);
  CLI::App* prove = command(app, "prove", "Check claims", prove_footer);
  run_options(*prove, o, raw);
  prove->add_option("--traces", o.traces, "A trace file for each violation")->option_text("FOLDER");
  prove->add_option("--format", o.format, "Of those files: itf, or see below")->option_text("FORMAT");
  prove->add_option("--proofs", o.run.proofs, "Each induction as SMT-LIB 2, for any solver")
      ->option_text("FOLDER");
  run_options(*command(app, "explore", "Size and coverage of a machine", explore_footer), o, raw);
  CLI::App* replay = command(app, "replay", "Run a trace again", replay_footer);
  replay->add_option("FILE", o.file, "A trace in ITF JSON")->required()->option_text(" ");
  replay->add_option("--format", o.format, "text, markdown, dot, html or itf")->option_text("FORMAT");
  report_options(*replay, o);
  CLI::App* minimise = command(app, "minimise", "The smallest trace like this one", minimise_footer);
  minimise->alias("minimize");
  minimise->add_option("FILE", o.file, "A trace in ITF JSON")->required()->option_text(" ");
  minimise->add_option("--save", o.save, "Write the smallest trace to FILE")->option_text("FILE");
  minimise->add_option("--limit-states", raw.states, "For each machine: 2M")->option_text("N");
  minimise->add_option("--limit-time", raw.time, "For all searches: 10s")->option_text("TIME");
  minimise->add_option("--threads", raw.threads, "Default: all cores")->option_text("N");
  report_options(*minimise, o);
  CLI::App* explain = command(app, "explain", "A claim by its runs; how to mend it", explain_footer);
  explain->add_option("CLAIM", o.claims, "Claims, families, instances or patterns")
      ->required()
      ->option_text("...");
  explain->add_option("--arch", o.arch, "x86_64, arm64 or all")->option_text("ARCH");
  explain->add_option("--mutate", raw.mutate, "Change the code first; repeatable")
      ->option_text("MUTATION")
      ->take_all();
  explain->add_option("--limit-time", raw.time, "For each search: 10s")->option_text("TIME");
  explain->add_option("--threads", raw.threads, "Default: all cores")->option_text("N");
  report_options(*explain, o);
  CLI::App* conform = command(app, "conform", "Compare with a kernel tree", conform_footer);
  conform->add_option("--tree", o.tree, "A kernel source tree")->required()->option_text("FOLDER");
  conform->add_option("--arch", o.arch, "x86_64, arm64 or all")->option_text("ARCH");
  conform->add_option("--edit", o.edits, "What if the tree read so? repeatable")
      ->option_text("EDIT")
      ->take_all();
  report_options(*conform, o);
  CLI::App* bench = command(app, "bench", "Measure the engine", bench_footer);
  bench->add_option("SUBJECT", o.subject, "engine or corpus")->required()->option_text(" ");
  report_options(*bench, o);
  CLI::App* time = command(app, "time", "Time optimizations against what they replace", time_footer);
  time->add_option("SUBJECT", o.claims, "What to time; default: all")->option_text("...");
  time->add_flag("--against-itself", o.against_itself, "What does noise look like?");
  time->add_flag("--kernel", o.kernel, "Real system calls, on this machine");
  time->add_option("--format", o.format, "text, or html: a page with charts")->option_text("FORMAT");
  report_options(*time, o);
}

std::string one_of(const std::string& option, const std::string& value,
                   const std::vector<std::string>& legal) {
  if (std::find(legal.begin(), legal.end(), value) != legal.end()) return value;
  std::string text = option + " cannot be '" + value + "': it is";
  for (const std::string& l : legal) text += (l == legal.front() ? " " : " or ") + l;
  throw InputError(text);
}

void read(Options& o, const Raw& raw) {
  one_of("--arch", o.arch, {"x86_64", "arm64", "all"});
  if (!o.format.empty()) {
    one_of("--format", o.format,
           o.command == "time" ? std::vector<std::string>{"text", "html"} : format_names());
    if (o.command == "prove" && o.traces.empty()) throw InputError("--format needs --traces FOLDER");
    if (o.command != "prove" && o.json) throw InputError("--json and --format are two forms of one report");
  }
  const bool full = one_of("--bounds", raw.bounds, {"default", "full"}) == "full";
  o.run.bounds = full ? RunOptions::Bounds::full : RunOptions::Bounds::standard;
  ExploreOptions& e = o.run.explore;
  e.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!raw.threads.empty()) {
    const u64 threads = parse_count("--threads", raw.threads);
    if (threads > 1024) throw InputError("--threads " + raw.threads + " is beyond any machine");
    e.threads = static_cast<unsigned>(threads);
  }
  if (!raw.states.empty()) e.states_max = parse_count("--limit-states", raw.states);
  if (!raw.memory.empty()) e.memory_max_bytes = parse_bytes("--limit-memory", raw.memory);
  if (!raw.time.empty()) e.time_max_ms = parse_time_ms("--limit-time", raw.time);
  for (const std::string& m : raw.mutate) try {
      o.run.mutations.push_back(parse_mutation(m));
    } catch (const std::invalid_argument& error) {
      throw InputError("--mutate " + m + ": " + error.what());
    }
}

// Threads and output do not change a report; all else is quoted where a shell needs it.
std::string reproduce(const std::string& name, const Options& o, const Raw& raw) {
  std::vector<std::string> words{"./ptmc", name};
  if (o.kernel) words.emplace_back("--kernel");
  if (o.against_itself) words.emplace_back("--against-itself");
  words.insert(words.end(), o.claims.begin(), o.claims.end());
  auto add = [&](const char* option, const std::string& value, const std::string& usual) {
    if (value != usual) words.insert(words.end(), {option, value});
  };
  add("--arch", o.arch, "all");
  add("--bounds", raw.bounds, "default");
  for (const std::string& m : raw.mutate) add("--mutate", m, "");
  add("--limit-states", raw.states, "");
  add("--limit-memory", raw.memory, "");
  add("--limit-time", raw.time, "");
  std::string text;
  for (const std::string& w : words) {
    text += (text.empty() ? "" : " ") + shell_word(w);
  }
  return text;
}

}  // namespace

Parsed parse(int argc, const char* const* argv) {
  Parsed parsed;
  Raw raw;
  CLI::App app{about_ptmc, "ptmc"};
  declare(app, parsed.options, raw);
  std::vector<std::string> names;
  for (const CLI::App* c : app.get_subcommands({})) names.push_back(c->get_name());
  names.emplace_back("minimize");
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end())
    throw InputError("there is no command '" + std::string(argv[1]) + "'" + did_you_mean(argv[1], names) +
                     " (`ptmc --help` shows all)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    parsed.help = app.help();
    return parsed;
  } catch (const CLI::ParseError& error) {
    throw InputError(std::string(error.what()) + " (`ptmc --help` shows what there is)");
  }
  parsed.options.command = app.get_subcommands().front()->get_name();
  read(parsed.options, raw);
  parsed.options.again = reproduce(parsed.options.command, parsed.options, raw);
  return parsed;
}

}  // namespace ptmc::cli
