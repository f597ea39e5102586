#include "checker/native/kernel/environment.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ptmc::native::kernel {
namespace {

u64 number_in(const std::string& text) {
  u64 value = 0;
  std::istringstream in(text);
  return in >> value ? value : 0;
}

// "MemAvailable:    1234 kB" -> bytes.
u64 kilobytes_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : number_in(text.substr(at + key.size())) * 1024;
}

// What the memory control group leaves: MemAvailable knows nothing of it.
u64 group_room(const std::string& root) {
  constexpr u64 unlimited = ~u64{0};
  const auto room = [&](const std::string& folder, const char* limit, const char* used) {
    const u64 most = number_in(text_of(folder + limit));  // "max" is no number.
    const u64 now = number_in(text_of(folder + used));
    return most == 0 ? unlimited : most - std::min(most, now);
  };
  u64 least = unlimited;
  std::istringstream groups(text_of(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::"))
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
        least = std::min(least, room(root + mount + line.substr(3), "/memory.max", "/memory.current"));
    const std::size_t at = line.find(":memory:");
    if (at != std::string::npos)
      least = std::min(least, room(root + "/sys/fs/cgroup/memory" + line.substr(at + 8),
                                   "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  }
  return least;
}

std::vector<unsigned> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<unsigned> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (unsigned k = 0; k < CPU_SETSIZE; ++k)
    if (CPU_ISSET(k, &set)) cpus.push_back(k);
  return cpus;
}

}  // namespace

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<unsigned> parse_list(const std::string& text) {
  std::vector<unsigned> list;
  std::istringstream in(text.substr(0, text.find('\n')));
  for (std::string part; std::getline(in, part, ',');) {
    unsigned first = 0, last = 0;
    const char* end = part.data() + part.size();
    const auto a = std::from_chars(part.data(), end, first);
    if (a.ec != std::errc()) return {};
    last = first;
    if (a.ptr != end) {
      const auto b = std::from_chars(a.ptr + 1, end, last);
      if (*a.ptr != '-' || b.ec != std::errc() || b.ptr != end || last < first) return {};
    }
    for (unsigned k = first; k <= last; ++k) list.push_back(k);
  }
  return list;
}

Environment look_around(const std::string& root) {
  Environment e;
  e.root = root;
  utsname name{};
  if (::uname(&name) == 0) e.kernel = name.release, e.machine = name.machine;
  e.cpus = allowed_cpus();
  e.page_bytes = static_cast<u64>(::sysconf(_SC_PAGESIZE));
  e.nodes = parse_list(text_of(root + "/sys/devices/system/node/has_memory"));
  e.huge_bytes = number_in(text_of(root + "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"));
  const u64 available = kilobytes_after(text_of(root + "/proc/meminfo"), "MemAvailable:");
  e.available_bytes = std::min(available, group_room(root));
  std::istringstream words(text_of(root + "/proc/cpuinfo"));
  for (std::string word; !e.pku && words >> word;) e.pku = word == "ospke";
  std::error_code error;
  e.folder = std::filesystem::temp_directory_path(error).string();
  return e;
}

bool at_least(const std::string& release, unsigned major, unsigned minor) {
  unsigned a = 0, b = 0;
  char dot = 0;
  std::istringstream in(release);
  if (!(in >> a >> dot >> b)) return false;
  return a > major || (a == major && b >= minor);
}

u64 scaled(u64 wanted_bytes, u64 copies, u64 least_bytes, const Environment& environment) {
  const u64 room = environment.available_bytes / 4 / copies;
  u64 bytes = wanted_bytes;
  while (bytes > room) bytes /= 2;
  return bytes < least_bytes ? 0 : bytes;
}

std::string size_text(u64 bytes) {
  constexpr std::array names{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < names.size() && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, ++unit;
  return std::to_string(bytes) + " " + names[unit];
}

std::string scaling_note(u64 bytes, u64 wanted_bytes) {
  if (bytes == wanted_bytes) return "";
  return size_text(bytes) + " instead of " + size_text(wanted_bytes) +
         ": no more than a quarter of the available memory is taken.";
}

}  // namespace ptmc::native::kernel
