#include "checker/cli/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <string_view>

#include "checker/cli/output.hpp"

namespace ptmc::cli {
namespace {

bool progress_shown = false;

void raw(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

// "ptmc: error: text", the level in colour on a terminal.
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made =
        std::make_shared<spdlog::logger>("ptmc", std::make_shared<spdlog::sinks::stderr_color_sink_st>());
    made->set_pattern("ptmc: %^%l%$: %v");
    return made;
  }();
  return *instance;
}

}  // namespace

void show_progress(const std::string& text) {
  if (!is_terminal(STDERR_FILENO) || (text.empty() && !progress_shown)) return;
  raw("\r\033[K" + text.substr(0, 72));
  progress_shown = !text.empty();
}

void log_warning(const std::string& text) {
  show_progress("");
  logger().warn(text);
}

void log_error(const std::string& text) {
  show_progress("");
  logger().error(text);
}

}  // namespace ptmc::cli
