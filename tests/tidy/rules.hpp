// Style as functions: each rule looks at one file and says what it dislikes.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ptmc::tidy {

struct File {
  std::string path;  // From the root of the repository, with '/'.
  std::string text;
};

struct Finding {
  std::string rule;  // "columns"
  std::string path;
  std::size_t line;  // From 1; 0 for the whole file.
  std::string text;  // What is wrong, for a human.
};

constexpr std::size_t file_lines_max = 300;
constexpr std::size_t function_lines_max = 60;
constexpr std::size_t columns_max = 110;

/// The text with comments, string and character literals blanked; lines and columns stay where they are.
std::string without_comments_and_strings(const std::string& text);

/// All rules that need one file only. Sources are .cpp and .hpp; other texts obey the rules that fit them.
std::vector<Finding> check(const File& file);

/// spdlog is included by exactly one file of `files`, a .cpp of checker/cli.
std::vector<Finding> check_spdlog(const std::vector<File>& files);

/// Every path in backticks in a Markdown text exists: those below a folder of the repository, and bare file
/// names.
std::vector<Finding> check_paths(const File& markdown, const std::function<bool(const std::string&)>& exists);

/// The repository's own texts: sources, scripts, build files and Markdown, in order of path.
std::vector<File> read_tree(const std::filesystem::path& root);

}  // namespace ptmc::tidy
