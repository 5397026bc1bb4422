#include "runner/loader_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/files.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* variables[] = {"LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH",
                                     "CUDA_HOME", "CUDA_PATH"};
// Every sandbox has these, read-only or made new.
constexpr const char* in_every_sandbox[] = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                            "/libx32", "/etc", "/opt",  "/sys", "/proc",  "/dev"};

bool lies_in(const fs::path& inner, const fs::path& outer) {
  const auto [end, ignored] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end();
}

bool contains_hidden(const fs::path& folder) {
  std::vector<fs::path> hidden = {"/tmp", "/proc", "/dev", base::home_folder()};
  if (const char* home = std::getenv("HOME")) hidden.emplace_back(home);
  return std::any_of(hidden.begin(), hidden.end(), [&](const fs::path& path) {
    std::error_code ec;
    return lies_in(fs::weakly_canonical(path, ec), folder);
  });
}

}  // namespace

std::vector<std::string> loader_folders() {
  std::vector<std::string> folders;
  for (const char* variable : variables) {
    const char* value = std::getenv(variable);
    std::stringstream list(value == nullptr ? "" : value);
    for (std::string place; std::getline(list, place, ':');) {
      std::error_code ec;
      const fs::path folder = place.starts_with('/') ? fs::canonical(place, ec) : fs::path();
      if (folder.empty() || ec || !fs::is_directory(folder, ec) || contains_hidden(folder))
        continue;
      if (std::any_of(std::begin(in_every_sandbox), std::end(in_every_sandbox),
                      [&](const char* known) { return lies_in(folder, known); }))
        continue;
      if (std::find(folders.begin(), folders.end(), place) == folders.end())
        folders.push_back(place);
    }
  }
  return folders;
}

}  // namespace hone::runner
