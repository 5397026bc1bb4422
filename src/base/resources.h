#pragma once
// Prompts, SQL, kernels, headers and help that are real files under resources/. A file is looked
// for in the folder given with --resources, then in .hone/resources of the project folder, then
// among the embedded ones. Set up once at start, then only read.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hone::base {

void set_resource_folder(const std::filesystem::path& folder);  // throws Error if it is no folder
const std::filesystem::path& resource_folder();                 // "": none was given
std::string resource(const std::string& name);                  // throws Error if there is none
std::optional<std::string> find_resource(const std::string& name);
std::vector<std::string> resource_names(const std::string& prefix);  // sorted, overrides included
void export_resources(const std::filesystem::path& folder);

}  // namespace hone::base
