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

/// Runs the command over a catalogue of toys.
inline Run toy(const std::vector<std::string>& arguments) { return run(PTMC_TOY, arguments); }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
inline bool says(const Run& r, const std::string& part) { return contains(r.err, part); }

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
