#include "checker/native/kernel/memory_group.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "checker/native/kernel/region.hpp"

namespace ptmc::native::kernel {
namespace {

bool has_word(const std::string& text, const std::string& wanted) {
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

// The nearest group above (or this one) whose children account for memory.
std::optional<std::string> accounting(const std::string& mount, std::string group) {
  while (true) {
    const std::string folder = mount + group;
    if (has_word(text_of(folder + "/cgroup.subtree_control"), "memory")) return folder;
    if (group.empty()) return std::nullopt;
    group.resize(group.find_last_of('/'));
  }
}

}  // namespace

std::optional<GroupPlace> group_place(const Environment& environment) {
  std::istringstream groups(text_of(environment.path("/proc/self/cgroup")));
  std::optional<GroupPlace> place;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t at = line.find(":memory:");
    if (at != std::string::npos) {
      const std::string home = environment.path("/sys/fs/cgroup/memory") + line.substr(at + 8);
      if (std::filesystem::exists(home + "/memory.force_empty"))
        return GroupPlace{home, home, "memory.force_empty"};
    }
    if (!line.starts_with("0::/")) continue;
    const std::string mount = environment.path("/sys/fs/cgroup"), group = line.substr(3);
    const auto parent = accounting(mount, group == "/" ? "" : group);
    if (parent) place = GroupPlace{*parent, mount + group, "memory.reclaim"};
  }
  return place;
}

MemoryGroup::MemoryGroup(const Environment& environment) {
  const auto place = group_place(environment);
  if (!place) throw Impossible("no control group accounts for memory here.");
  place_ = *place;
  folder_ = place_.parent + "/ptmc-" + std::to_string(::getpid());
  back_.emplace(place_.home + "/cgroup.procs", "0");
  gone_.emplace(folder_, "");
  if (::mkdir(folder_.c_str(), 0755) != 0) {
    const std::string why = failure("no memory control group of our own");
    gone_.reset();
    back_.reset();
    throw Impossible(why);
  }
  std::string why;
  if (!std::filesystem::exists(folder_ + "/" + place_.reclaim)) {
    why = "this kernel reclaims no control group on demand (Linux 5.19 and later do).";
  } else if (const int error = write_setting((folder_ + "/cgroup.procs").c_str(), "0"); error != 0) {
    why = std::string("a memory control group of our own cannot be entered: ") + std::strerror(error) + ".";
  }
  if (why.empty()) return;
  leave();
  throw Impossible(why);
}

MemoryGroup::~MemoryGroup() { leave(); }

void MemoryGroup::reclaim(u64 bytes) const {
  // Both say so if they reclaimed less; that the pages are gone is looked at anyway.
  const std::string amount = place_.reclaim == "memory.reclaim" ? std::to_string(bytes) : "0";
  write_setting((folder_ + "/" + place_.reclaim).c_str(), amount.c_str());
}

std::string MemoryGroup::leave() noexcept {
  if (!gone_) return "";
  const int error = write_setting((place_.home + "/cgroup.procs").c_str(), "0");
  bool removed = ::rmdir(folder_.c_str()) == 0;
  for (int k = 0; !removed && errno == EBUSY && k < 50; ++k) {  // It may still be on its way out.
    ::usleep(10'000);
    removed = ::rmdir(folder_.c_str()) == 0;
  }
  gone_.reset();
  back_.reset();
  if (removed && error == 0) return "";
  return "The control group " + folder_ + " could not be " + (error == 0 ? "removed." : "left.");
}

}  // namespace ptmc::native::kernel
