#pragma once
// The files of an export are templates (resources/export) whose gaps are filled: what a file looks
// like is read there, and what depends on the candidate is made here. Pure functions.
#include <map>
#include <string>
#include <vector>

namespace hone::exports {

using Gaps = std::map<std::string, std::string>;  // the name of a gap: what it becomes

// The resource with `@key@` replaced by the value; a key without a value is an Error.
std::string filled(const std::string& resource, const Gaps& gaps);

std::string joined(const std::vector<std::string>& parts, const std::string& between);

}  // namespace hone::exports
