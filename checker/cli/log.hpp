// What is said beside the report, on standard error. The only interface to the logging library.
#pragma once
#include <string>

namespace ptmc::cli {

/// A line that replaces the one before, on a terminal; nothing elsewhere. An empty text removes it.
void show_progress(const std::string& text);

void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace ptmc::cli
