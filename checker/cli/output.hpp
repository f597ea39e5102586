// Writing: every byte arrives or the command fails.
#pragma once
#include <string>
#include <string_view>

namespace ptmc::cli {

/// Standard output. Throws InternalError if it cannot be written, for example to a full disk.
class Output {
 public:
  void write(std::string_view text);
  /// Nothing that was written is lost afterwards, or it throws.
  void flush();
};

/// Replaces the file, or leaves it as it was and throws InternalError: the text goes to a temporary file
/// beside it first. A device or pipe is written directly.
void write_file(const std::string& path, std::string_view text);

/// The whole file. Throws InputError.
std::string read_file(const std::string& path);

bool is_terminal(int descriptor);

}  // namespace ptmc::cli
