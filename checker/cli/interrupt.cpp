#include "checker/cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>

#include "checker/verdict.hpp"

namespace ptmc::cli {
namespace {

// What a signal handler may touch.
std::atomic<bool> interrupted{false};
std::array<char, 4096> temporary{};
std::atomic<bool> has_temporary{false};
std::atomic<void (*)() noexcept> last_act{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<void (*)() noexcept>::is_always_lock_free);

void end(int) {
  if (has_temporary) ::unlink(temporary.data());
  if (const auto act = last_act.load()) act();
  constexpr char text[] = "\nptmc: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(static_cast<int>(Exit::interrupted));
}

void ask(int signal) {
  if (interrupted.exchange(true)) end(signal);
  ::alarm(2);
}

}  // namespace

const std::atomic<bool>& handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = ask;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = end;
  ::sigaction(SIGALRM, &action, nullptr);
  return interrupted;
}

RemovedOnInterrupt::RemovedOnInterrupt(const std::string& path) {
  if (path.size() >= temporary.size()) return;
  path.copy(temporary.data(), path.size());
  temporary[path.size()] = '\0';
  has_temporary = true;
}
RemovedOnInterrupt::~RemovedOnInterrupt() { has_temporary = false; }

EndedByInterrupt::EndedByInterrupt(void (*last)() noexcept) { last_act = last; }
EndedByInterrupt::~EndedByInterrupt() { last_act = nullptr; }

}  // namespace ptmc::cli
