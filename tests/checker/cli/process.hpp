// Running the real command and looking at everything it does.
#pragma once
#include <string>
#include <vector>

namespace ptmc::cli_test {

struct Run {
  int code = 0;  // 128 + signal if killed.
  std::string out, err;
};

/// Runs `binary` with `arguments`; `interrupt_after_ms` >= 0 sends SIGINT then. Standard output goes to
/// `out_path` if that is not empty.
Run run(const std::string& binary, const std::vector<std::string>& arguments, int interrupt_after_ms = -1,
        const std::string& out_path = "");

/// A new empty folder, removed with its contents at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

std::string read(const std::string& path);
void write(const std::string& path, const std::string& text);

}  // namespace ptmc::cli_test
