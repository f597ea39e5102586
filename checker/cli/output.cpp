#include "checker/cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "checker/cli/interrupt.hpp"
#include "checker/verdict.hpp"

namespace ptmc::cli {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw InternalError("cannot write " + what + ": " + std::strerror(errno));
}

// Closes on all paths; close() is checked by the caller, because that is where some file systems report a
// full disk.
void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      ::close(descriptor);
      errno = error;
      fail(path);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::close(descriptor) != 0) fail(path);
}

}  // namespace

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail("standard output");
}

void Output::flush() {
  if (std::fflush(stdout) != 0) fail("standard output");
}

void write_file(const std::string& path, std::string_view text) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path);
    return write_all(descriptor, text, path);
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) fail(path);
  const RemovedOnInterrupt removed(temporary);
  try {
    ::fchmod(descriptor, 0644);
    write_all(descriptor, text, path);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError(path + " is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError("cannot read " + path + ": " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw InputError("cannot read " + path + ": " + std::strerror(errno));
  return text;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

}  // namespace ptmc::cli
