#include "checker/native/kernel/setting.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "checker/native/kernel/environment.hpp"
#include "checker/native/kernel/report.hpp"

namespace ptmc::native::kernel {
namespace {

// What a signal handler may touch.
struct Slot {
  std::atomic<bool> taken{false}, armed{false};
  std::array<char, 256> path{}, value{};
};
std::array<Slot, 8> slots;

std::size_t take_slot(const std::string& path, const std::string& value) {
  for (std::size_t k = 0; k < slots.size(); ++k) {
    Slot& slot = slots[k];
    if (path.size() >= slot.path.size() || value.size() >= slot.value.size() || slot.taken.exchange(true))
      continue;
    slot.path.fill('\0');
    slot.value.fill('\0');
    path.copy(slot.path.data(), path.size());
    value.copy(slot.value.data(), value.size());
    slot.armed = true;
    return k;
  }
  throw Impossible(path + " is not changed: it could not be set back after an interrupt.");
}

}  // namespace

int write_setting(const char* path, const char* value) noexcept {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
  if (file < 0) return errno;
  const std::size_t length = std::strlen(value);
  const ssize_t written = ::write(file, value, length);
  const int error = written < 0 ? errno : static_cast<std::size_t>(written) == length ? 0 : EIO;
  ::close(file);
  return error;
}

Undo::Undo(const std::string& path, const std::string& text) : slot_(take_slot(path, text)) {}
Undo::~Undo() {
  slots[slot_].armed = false;
  slots[slot_].taken = false;
}

std::string chosen(const std::string& text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open != std::string::npos && close != std::string::npos && close > open)
    return text.substr(open + 1, close - open - 1);
  return text.substr(0, text.find('\n'));
}

Setting::Setting(const std::string& path, const std::string& value)
    : path_(path), before_(chosen(text_of(path))) {
  if (before_.empty()) throw Impossible(path + " cannot be read.");
  if (before_ == value) return;
  undo_.emplace(path_, before_);  // First: an interrupt may come right after the change.
  const int error = write_setting(path.c_str(), value.c_str());
  if (error == 0 && chosen(text_of(path)) == value) return;
  if (error != 0) {  // Nothing was changed.
    undo_.reset();
    throw Impossible(path + " cannot be set to " + value + ": " + std::strerror(error) + ".");
  }
  restore();
  throw Impossible(path + " did not take the value " + value + ".");
}

Setting::~Setting() { restore(); }

std::string Setting::restore() noexcept {
  if (!undo_) return "";
  const int error = write_setting(path_.c_str(), before_.c_str());
  undo_.reset();
  if (error == 0) return "";
  return path_ + " could not be set back to " + before_ + ": " + std::strerror(error) + ".";
}

void restore_settings() noexcept {
  for (const Slot& slot : slots)
    if (slot.armed && slot.value[0] != '\0') write_setting(slot.path.data(), slot.value.data());
  for (const Slot& slot : slots)
    if (slot.armed && slot.value[0] == '\0') ::rmdir(slot.path.data());
}

}  // namespace ptmc::native::kernel
