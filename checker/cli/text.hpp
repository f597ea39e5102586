// Text for people: 72 columns, colour on a terminal only.
#pragma once
#include <string>

#include "checker/verdict.hpp"

namespace ptmc::cli {

constexpr std::size_t columns = 72;

/// Words of `text` in lines of at most 72 columns that start with `indent` spaces; ends in a newline.
/// A word that fits no line is broken behind '/' or '='.
std::string wrapped(const std::string& text, std::size_t indent);

/// One word of a command line, quoted if a shell would make something else of it.
std::string shell_word(const std::string& word);

/// "12,345,678".
std::string grouped(u64 number);

/// The verdict, padded to eight columns, in colour if `colour`: green as catalogued, red failed, yellow
/// weaker.
std::string painted(Verdict verdict, Surprise surprise, bool colour);

/// Whether standard output shows colours: a terminal, and NO_COLOR is not set.
bool wants_colour();

}  // namespace ptmc::cli
