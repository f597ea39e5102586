#include "checker/cli/commands.hpp"

#include <map>
#include <new>
#include <system_error>

#include "checker/cli/interrupt.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/runner.hpp"

namespace ptmc::cli {
namespace {

Exit dispatch(const Options& options, const Program& program, Output& out) {
  if (options.command == "conform") return program.conform(options, out);
  if (options.command == "time")
    return options.kernel ? time_kernel(options, out) : program.time(options, out);
  const std::map<std::string, Exit (*)(const Options&, const Catalog&, Output&)> with_catalog{
      {"list", list},         {"prove", prove},     {"explore", explore}, {"replay", replay},
      {"minimise", minimise}, {"explain", explain}, {"bench", bench}};
  return with_catalog.at(options.command)(options, program.catalog(), out);
}

Exit guarded(int argc, const char* const* argv, const Program& program) {
  Output out;
  Parsed parsed = parse(argc, argv);
  Exit code = Exit::ok;
  if (parsed.help.empty()) {
    parsed.options.run.explore.cancel = &handle_interrupts();
    code = dispatch(parsed.options, program, out);
  } else {
    out.write(parsed.help);
  }
  out.flush();
  return code;
}

}  // namespace

void deliver(const Options& options, const std::string& text, Output& out) {
  if (options.output.empty()) return out.write(text);
  write_file(options.output, text);
}

int run(int argc, const char* const* argv, const Program& program) {
  Exit code = Exit::internal;
  try {
    code = guarded(argc, argv, program);
  } catch (const InputError& error) {
    log_error(error.what());
    code = Exit::usage;
  } catch (const Interrupted& error) {
    log_error(error.what());
    code = Exit::interrupted;
  } catch (const std::bad_alloc&) {
    log_error("out of memory; --limit-memory ends a run before that");
  } catch (const InternalError& error) {
    log_error(error.what());
  } catch (const std::exception& error) {
    log_error(std::string("unexpected: ") + error.what());
  }
  return static_cast<int>(code);
}

}  // namespace ptmc::cli
