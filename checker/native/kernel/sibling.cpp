#include "checker/native/kernel/sibling.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <future>
#include <sstream>

#include "checker/native/kernel/region.hpp"

namespace ptmc::native::kernel {
namespace {

constexpr long tmpfs_magic = 0x01021994, ramfs_magic = 0x858458f6;

bool pin(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

bool in_memory(const std::string& folder) {
  struct statfs status {};
  return ::statfs(folder.c_str(), &status) != 0 || status.f_type == tmpfs_magic ||
         status.f_type == ramfs_magic;
}

void write_all(int file, u64 bytes, const Context& context) {
  const std::string block(u64{1} << 20, 'p');
  for (u64 done = 0; done < bytes;) {
    context.stop_if_asked();
    const ssize_t n = ::write(file, block.data(), std::min<u64>(block.size(), bytes - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw Impossible(failure("the scratch file cannot be written"));
    done += static_cast<u64>(n);
  }
  if (::fsync(file) != 0) throw Impossible(failure("the scratch file cannot be written"));
}

}  // namespace

std::optional<u64> tlb_interrupts(const std::string& interrupts, unsigned cpu) {
  std::istringstream in(interrupts);
  std::string line, word;
  std::getline(in, line);
  std::istringstream header(line);
  std::size_t column = 0, wanted = 0;
  while (header >> word) {
    ++column;
    if (word == "CPU" + std::to_string(cpu)) wanted = column;
  }
  while (wanted != 0 && std::getline(in, line)) {
    std::istringstream row(line);
    if (!(row >> word) || word != "TLB:") continue;
    u64 count = 0;
    for (std::size_t k = 0; k < wanted; ++k)
      if (!(row >> count)) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

ScratchFile::ScratchFile(const std::vector<std::string>& folders, u64 bytes, const Context& context) {
  std::string why = "no folder for a scratch file lies on a disk (TMPDIR names one).";
  for (const std::string& folder : folders) {
    if (in_memory(folder)) continue;
    std::string name = folder + "/ptmc.XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) {
      ::unlink(name.c_str());
      break;
    }
    why = failure("no scratch file in " + folder);
  }
  if (descriptor_ < 0) throw Impossible(why);
  try {
    write_all(descriptor_, bytes, context);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

Pinned::Pinned(unsigned cpu) : before_(sizeof(cpu_set_t)) {
  cpu_set_t before;
  if (::sched_getaffinity(0, sizeof before, &before) != 0 || !pin(cpu))
    throw Impossible(failure("no thread can be kept on one CPU"));
  std::memcpy(before_.data(), &before, sizeof before);
}

Pinned::~Pinned() {
  cpu_set_t before;
  std::memcpy(&before, before_.data(), sizeof before);
  ::sched_setaffinity(0, sizeof before, &before);
}

Sibling::Sibling(unsigned cpu) {
  std::promise<bool> promise;
  std::future<bool> pinned = promise.get_future();
  thread_ = std::jthread([cpu, told = std::move(promise)](const std::stop_token& stop) mutable {
    const bool there = pin(cpu);
    told.set_value(there);
    while (there && !stop.stop_requested()) {
    }
  });
  if (!pinned.get()) throw Impossible("no thread can be kept on another CPU.");
}

}  // namespace ptmc::native::kernel
