// An HTML page that needs nothing from outside.
#pragma once
#include <string>

namespace ptmc::cli {

/// `title` and `about` are text, `sections` is HTML.
std::string page_of(const std::string& title, const std::string& about, const std::string& sections);

}  // namespace ptmc::cli
