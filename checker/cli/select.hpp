// Finding claims by name.
#pragma once
#include <string>
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::cli {

/// The claims called `names`, in the order of the catalogue; all if `names` is empty. A name is a claim's,
/// the first part of one ("seed004"), an instance, or a pattern ("*/reach"). `arch` is "x86_64", "arm64" or
/// "all"; what holds on any architecture is in each. Throws InputError with the nearest names, or if nothing
/// is left.
std::vector<Claim> select(const std::vector<Claim>& catalog, const std::vector<std::string>& names,
                          const std::string& arch);

/// What a mutation of these claims may name, in the order of the catalogue.
std::vector<std::string> paths_of(const std::vector<Claim>& claims);

/// "; did you mean a, b or c?" by edit distance, or nothing if nothing is near.
std::string did_you_mean(const std::string& name, std::vector<std::string> candidates);

}  // namespace ptmc::cli
