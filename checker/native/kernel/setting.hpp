// A file of /sys or /proc/sys that is changed for a while and set back whatever happens.
#pragma once
#include <optional>
#include <string>

namespace ptmc::native::kernel {

/// The chosen word of "always [madvise] never", or the whole text without its end of line.
std::string chosen(const std::string& text);

/// While it lives, `restore_settings` writes `text` to the file, or removes it as an empty folder if `text`
/// is empty. Throws Impossible: at most eight live at a time.
class Undo {
 public:
  Undo(const std::string& path, const std::string& text);
  ~Undo();
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

 private:
  std::size_t slot_ = 0;
};

/// 0, or errno. Async-signal-safe.
int write_setting(const char* path, const char* value) noexcept;

/// While it lives the file says `value`. The old value comes back with the destructor, and by
/// `restore_settings` from a signal handler.
class Setting {
 public:
  /// Throws Impossible if the file cannot be read or written, or does not take the value.
  Setting(const std::string& path, const std::string& value);
  ~Setting();
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  const std::string& before() const { return before_; }
  /// Sets it back now. What went wrong, as a sentence; empty if nothing did. Later calls do nothing.
  std::string restore() noexcept;

 private:
  std::string path_, before_;
  std::optional<Undo> undo_;  // While it is changed.
};

/// Does all that an Undo waits for, folders last. Async-signal-safe, for a process that is about to end.
void restore_settings() noexcept;

}  // namespace ptmc::native::kernel
