#include "checker/gate/tree.hpp"

#define XXH_INLINE_ALL
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "checker/verdict.hpp"

namespace ptmc::gate {
namespace fs = std::filesystem;
namespace {

std::string number_of(const std::string& makefile, const std::string& name) {
  std::smatch match;
  const std::regex line("(^|\n)" + name + R"( *= *([0-9]+))");
  return std::regex_search(makefile, match, line) ? match[2].str() : "";
}

// Kbuild reads all Kconfig files and Makefiles; beyond those, configuring and compiling stay in these
// folders.
constexpr const char* whole[] = {"include/",     "scripts/",       "mm/",          "arch/x86/",
                                 "arch/arm64/",  "tools/include/", "tools/build/", "tools/scripts/",
                                 "tools/arch/",  "tools/objtool/", "tools/lib/",   "lib/vdso/",
                                 "kernel/time/", "arch/Kconfig"};
// Not read, and large.
constexpr const char* never[] = {"arch/arm64/boot/dts/", "arch/x86/kvm/",      "arch/arm64/kvm/",
                                 "arch/x86/crypto/",     "arch/arm64/crypto/", "scripts/gdb/",
                                 "include/dt-bindings/", "arch/x86/events/"};
// Left by a build in place.
constexpr const char* built_suffixes[] = {".o", ".a", ".ko", ".mod", ".cmd", ".d", ".so", ".dbg"};

bool kbuild_reads(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("Kconfig") || name.starts_with("Makefile") || name.starts_with("Kbuild")) return true;
  const auto under = [&](const char* folder) { return path.starts_with(folder); };
  const bool here = std::any_of(std::begin(whole), std::end(whole), under) || path == "kernel/bounds.c";
  if (!here || std::any_of(std::begin(never), std::end(never), under) || name.starts_with('.')) return false;
  const auto ends = [&](const char* suffix) { return name.ends_with(suffix); };
  return !std::any_of(std::begin(built_suffixes), std::end(built_suffixes), ends) &&
         path.find("include/generated/") == std::string::npos && !path.starts_with("include/config/");
}

std::vector<std::string> list_files(const Tree& tree) {
  std::vector<std::string> files;
  std::error_code error;
  const std::size_t prefix = tree.root.string().size() + 1;
  for (fs::recursive_directory_iterator i(tree.root, error), end; !error && i != end; i.increment(error)) {
    const std::string path = i->path().string().substr(prefix);
    const bool folder = i->is_directory(), link = i->is_symlink();
    if (folder && (path == ".git" || path.starts_with("Documentation/"))) i.disable_recursion_pending();
    if ((folder && !link) || !(tree.mini || kbuild_reads(path))) continue;
    files.push_back(path);
  }
  if (error) throw InputError("cannot read " + tree.root.string() + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::string content_of(const fs::path& file) {
  return fs::is_symlink(file) ? "-> " + fs::read_symlink(file).string() : read_file(file);
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string text(in ? static_cast<std::size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  if (!in || !in.read(text.data(), static_cast<std::streamsize>(text.size())))
    throw InputError("cannot read " + file.string());
  return text;
}

void write_file(const fs::path& file, const std::string& text) {
  const fs::path part = file.string() + "." + std::to_string(getpid()) + ".part";
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) fs::rename(part, file, error);
  if (!out || error) {
    fs::remove(part, error);
    throw InternalError("cannot write " + file.string());
  }
}

std::string content_hash(const std::string& content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  std::string out;
  for (const unsigned char byte : bytes.digest)
    for (const unsigned nibble : {byte >> 4, byte & 15}) out += "0123456789abcdef"[nibble];
  return out;
}

fs::path default_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "ptmc";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : fs::temp_directory_path().c_str()) / ".cache/ptmc";
}

Tree open_tree(const fs::path& root) {
  Tree tree{fs::absolute(root).lexically_normal(), "", "", false};
  if (!tree.root.has_filename()) tree.root = tree.root.parent_path();  // Was "DIR/".
  tree.mini = fs::exists(tree.root / "ptmc-tree");
  const fs::path makefile = tree.root / (tree.mini ? "ptmc-tree" : "Makefile");
  if (!fs::exists(makefile) || (!tree.mini && !fs::exists(tree.root / "Kbuild")))
    throw InputError(root.string() + " is not the top folder of a kernel source tree");
  const std::string text = read_file(makefile);
  const std::string sub = number_of(text, "SUBLEVEL");
  tree.version = number_of(text, "VERSION") + "." + number_of(text, "PATCHLEVEL");
  tree.release = tree.version + (sub.empty() ? "" : "." + sub);
  if (tree.version.front() == '.' || tree.version.back() == '.')
    throw InputError(makefile.string() + " names no version");
  return tree;
}

std::string layout_of(const Tree& tree) {
  if (tree.version == "6.12" || tree.version == "6.1") return tree.version;
  throw InputError("the model has the entry layouts of Linux 6.1 and 6.12, and this tree is " + tree.release);
}

Snapshot take_snapshot(const Tree& tree, const fs::path& cache, const Notice& notice) {
  if (tree.root.string().find_first_of(" :'\"") != std::string::npos && !tree.mini)
    throw InputError("make cannot work below " + tree.root.string() +
                     ": move the tree to a path without blanks");
  notice("reading the tree");
  const std::vector<std::string> files = list_files(tree);
  std::string sum;
  for (const std::string& f : files) sum += f + "\n" + content_hash(content_of(tree.root / f)) + "\n";
  Snapshot snapshot{tree.root, content_hash(sum)};
  if (tree.mini) return snapshot;
  const fs::path home = cache / snapshot.hash;
  snapshot.root = home / "source";
  if (fs::exists(home / "copied")) return snapshot;
  notice("copying what Kbuild reads of it");
  std::error_code error;
  fs::remove_all(snapshot.root, error);
  for (const std::string& f : files) {
    const fs::path to = snapshot.root / f;
    fs::create_directories(to.parent_path(), error);
    if (!error) fs::copy(tree.root / f, to, fs::copy_options::copy_symlinks, error);
    if (error) throw InternalError("cannot write " + to.string() + ": " + error.message());
  }
  write_file(home / "copied", std::to_string(files.size()) + " files of " + tree.release + "\n");
  return snapshot;
}

}  // namespace ptmc::gate
