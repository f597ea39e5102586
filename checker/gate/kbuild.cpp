#include "checker/gate/kbuild.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <sstream>

#include "checker/gate/process.hpp"
#include "checker/verdict.hpp"
#ifdef PTMC_HAVE_LLVM
#include "checker/gate/ir/module.hpp"
#endif

namespace ptmc::gate {
namespace fs = std::filesystem;
namespace {

#ifdef PTMC_HAVE_LLVM
std::string clang_suffix() { return "-" + std::to_string(ir::llvm_major()); }
#else
std::string clang_suffix() { return ""; }
#endif

// The last lines of a build log.
std::string tail(const std::string& log) {
  std::size_t at = log.size();
  for (unsigned lines = 0; at > 0 && lines < 12; --at) lines += log[at - 1] == '\n' ? 1 : 0;
  return log.substr(at == 0 ? 0 : at + 1);
}

// Two runs of ptmc must not configure one folder at once.
class Lock {
 public:
  explicit Lock(const fs::path& file) : fd_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (fd_ < 0 || flock(fd_, LOCK_EX) != 0) throw InternalError("cannot lock " + file.string());
  }
  ~Lock() { close(fd_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int fd_;
};

std::vector<std::string> overridden(const std::string& fragment, const std::string& config) {
  std::vector<std::string> notes;
  std::istringstream lines(fragment);
  for (std::string line; std::getline(lines, line);) {
    const bool off = line.starts_with("# ");
    const std::string name = off ? line.substr(2, line.find(' ', 2) - 2) : line.substr(0, line.find('='));
    const bool is_on = config.find("\n" + name + "=") != std::string::npos;
    if (off == is_on) notes.push_back(name + (off ? " stays on" : " is not available"));
  }
  return notes;
}

bool is_dropped(const std::string& flag) {
  for (const char* prefix : {"-Wp,-MMD", "-fstack-protector", "-mbranch-protection", "-fcf-protection",
                             "-mstack-protector", "-W", "-ftrivial-auto-var-init", "-enable-trivial"})
    if (flag.starts_with(prefix)) return true;
  return false;
}

// The command that Kbuild saved, for any other file: without outputs, hardening and warnings. Missing
// declarations become errors again (`warnings`), or an absent helper would be a call of nothing.
std::string adapted_command(const std::string& saved) {
  const std::string line =
      saved.substr(0, saved.find('\n'));  // "savedcmd_mm/mprotect.ll := clang-14 ... -o ..."
  const auto begin = line.find(" := "), end = line.find(" -o ");
  if (line.find("cmd_") > 5 || begin == std::string::npos || end == std::string::npos || end < begin)
    throw InputError("Kbuild left no command for mm/mprotect.ll");
  std::istringstream flags(line.substr(begin + 4, end - begin - 4));
  std::string command;
  for (std::string flag; std::getline(flags, flag, ' ');)
    if (!is_dropped(flag)) command += flag + " ";
  return command;
}

constexpr const char* warnings =
    " -Wno-everything -Werror=implicit-function-declaration -Werror=implicit-int "
    "-Werror=incompatible-pointer-types"
    " -Werror=return-type -ferror-limit=0 -fno-color-diagnostics -fno-caret-diagnostics";

Build mini_build(const Tree& tree, const std::string& arch, const fs::path& home) {
  const std::string target = arch == "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  const std::string folder = arch == "arm64" ? "arm64" : "x86";
  Build build{arch, tree.root, home / arch, "", "", {}};
  build.command = "clang" + clang_suffix() + " --target=" + target +
                  " -O2 -S -emit-llvm -ffreestanding -nostdinc -std=gnu11" + " -I" +
                  shell_quoted((tree.root / "include").string()) + " -I" +
                  shell_quoted((tree.root / "arch" / folder / "include").string()) +
                  (arch == "arm64" ? " -DCONFIG_ARM64=1" : " -DCONFIG_X86_64=1");
  return build;
}

void make(const Build& build, std::vector<std::string> goals, const std::string& what) {
  std::vector<std::string> argv = {"make",
                                   "-s",
                                   "-C",
                                   build.source.string(),
                                   "O=" + build.directory.string(),
                                   "ARCH=" + build.arch,
                                   "LLVM=" + clang_suffix(),
                                   "-j2"};
  argv.insert(argv.end(), goals.begin(), goals.end());
  const Ran ran = run_program(argv, build.source);
  if (ran.status != 0) throw InputError(what + " failed; the end of make's output:\n" + tail(ran.output));
}

}  // namespace

Build configure(const Tree& tree, const Snapshot& snapshot, const std::string& arch, const fs::path& cache,
                const Notice& notice) {
  const std::string clang = "clang" + clang_suffix();
  const Ran version = run_program({clang, "--version"}, tree.root);
  if (version.status != 0) throw InputError(clang + " does not run; on Debian 12 install clang-14");
  const std::string compiler = version.output.substr(0, version.output.find('\n'));
  const std::string fragment = config_fragment(arch);
  const fs::path home = cache / snapshot.hash;
  std::error_code error;
  fs::create_directories(home, error);
  if (tree.mini) {
    Build build = mini_build(tree, arch, home);
    build.compiler = compiler;
    build.command += warnings;
    fs::create_directories(build.directory, error);
    return build;
  }
  const std::string key = content_hash(compiler + fragment).substr(0, 12);
  Build build{arch, snapshot.root, home / (arch + "-" + key), compiler, "", {}};
  const Lock lock(home / ("lock-" + arch));
  const fs::path saved = build.directory / "mm/.mprotect.ll.cmd", ready = build.directory / "ptmc-ready";
  if (!fs::exists(ready)) {
    fs::remove_all(build.directory, error);
    write_file(build.directory / "ptmc.config", fragment);
    notice("configuring " + tree.release + " for " + arch);
    make(build, {"KCONFIG_ALLCONFIG=" + (build.directory / "ptmc.config").string(), "alldefconfig"},
         "configuring");
    notice("preparing " + tree.release + " for " + arch);
    make(build, {"prepare0"}, "preparing");
    make(build, {"CONFIG_OBJTOOL=", "mm/mprotect.ll"}, "compiling mm/mprotect.c");
    write_file(ready, compiler + "\n");
  }
  build.notes = overridden(fragment, "\n" + read_file(build.directory / ".config"));
  build.command = adapted_command(read_file(saved)) + warnings;
  return build;
}

Compiled compile(const Build& build, const fs::path& file, const std::vector<Edit>& edits) {
  std::string identity = build.compiler + build.command + read_file(file);
  for (const Edit& e : edits)
    identity += "\n" + e.file + "\n" + e.function + "\n" + e.pattern + "\n" + e.text;
  const fs::path home = build.directory / "ptmc" / content_hash(identity);
  Compiled compiled{home.string() + ".ll", ""};
  if (fs::exists(compiled.module)) return compiled;
  std::string command = build.command;
  if (!edits.empty())
    command += " -ivfsoverlay " + shell_quoted(write_overlay(build.source, edits, home).string());
  std::error_code error;
  fs::create_directories(home.parent_path(), error);
  const fs::path part = home.string() + "." + std::to_string(getpid()) + ".part";
  command += " -o " + shell_quoted(part.string()) + " " + shell_quoted(file.string());
  const Ran ran = run_program({"/bin/sh", "-c", command}, build.directory);
  if (ran.status == 0) {
    fs::rename(part, compiled.module, error);
    if (error) throw InternalError("cannot write " + compiled.module.string());
    return compiled;
  }
  fs::remove(part, error);
  return {{}, ran.output};
}

}  // namespace ptmc::gate
