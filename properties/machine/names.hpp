// Lists of names with blanks between them, as catalogues write them: "stale excess".
#pragma once
#include <string>

namespace ptmc::machine {

/// "stale, excess"
std::string commas(const std::string& names);
bool lists(const std::string& names, const std::string& name);
/// `names` but for `others`.
std::string without(const std::string& names, const std::string& others);

}  // namespace ptmc::machine
