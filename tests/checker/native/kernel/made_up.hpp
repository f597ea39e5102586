// A machine that is not there: its /proc and /sys lie in a temporary folder.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "checker/native/kernel/environment.hpp"

namespace ptmc::kernel_test {

/// Removed with its contents at the end.
class Root {
 public:
  Root() {
    path_ = (std::filesystem::temp_directory_path() / "ptmc-test.XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~Root() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  std::string path(const std::string& name) const { return path_ + name; }
  /// Makes the folders on the way, too.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const std::string& name) const { return native::kernel::text_of(path(name)); }

 private:
  std::string path_;
};

}  // namespace ptmc::kernel_test
