#include "checker/native/kernel/scratch_file.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "checker/native/kernel/region.hpp"

namespace ptmc::native::kernel {
namespace {

constexpr long tmpfs_magic = 0x01021994, ramfs_magic = 0x858458f6;

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

}  // namespace ptmc::native::kernel
