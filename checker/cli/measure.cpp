#include "checker/cli/measure.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <fstream>

#include "checker/verdict.hpp"

namespace ptmc::cli {
namespace {

u64 resident_bytes() {
  std::ifstream in("/proc/self/statm");
  u64 size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<u64>(::sysconf(_SC_PAGESIZE));
}

// `child` runs in the new process with standard output in the pipe, and returns the exit code.
Cost measure(const std::function<int()>& child) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw InternalError(std::string("no pipe: ") + std::strerror(errno));
  const auto begin = std::chrono::steady_clock::now();
  const pid_t id = ::fork();
  if (id < 0) throw InternalError(std::string("no process: ") + std::strerror(errno));
  if (id == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Nothing runs on after Ctrl-C.
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(child());
  }
  ::close(ends[1]);
  Cost cost;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (n > 0)
      cost.output.append(buffer.data(), static_cast<std::size_t>(n));
    else if (errno != EINTR)
      break;
  }
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  while (::wait4(id, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  cost.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  cost.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak_bytes = static_cast<u64>(usage.ru_maxrss) * 1024;
  return cost;
}

int tell(const std::string& text, int code) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) return 1;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  return code;
}

}  // namespace

Cost measure_program(const std::vector<std::string>& argv, const std::string& folder) {
  std::vector<char*> words;
  for (const std::string& a : argv) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  return measure([&] {
    if (::chdir(folder.c_str()) != 0) return 127;
    ::execvp(words[0], words.data());
    return 127;
  });
}

Cost measure_work(const std::function<std::string()>& work) {
  // The child says on its first line what it had before the work.
  Cost cost = measure([&] {
    tell(std::to_string(resident_bytes()) + "\n", 0);
    try {
      return tell(work(), 0);
    } catch (const std::exception& error) {
      return tell(error.what(), 1);
    }
  });
  const std::size_t end = cost.output.find('\n');
  if (end == std::string::npos) throw InternalError("a measured process ended before it began");
  cost.peak_bytes -= std::min(cost.peak_bytes, static_cast<u64>(std::stoull(cost.output)));
  cost.output.erase(0, end + 1);
  return cost;
}

}  // namespace ptmc::cli
