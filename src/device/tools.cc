#include "device/tools.h"

#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

namespace hone::device {
namespace {

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::string first_match(const std::string& pattern) {
  glob_t found{};
  std::string path;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = found.gl_pathc; i-- > 0 && path.empty();)  // the newest version sorts last
      if (is_program(found.gl_pathv[i])) path = found.gl_pathv[i];
  ::globfree(&found);
  return path;
}

std::string from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string find_tool(const std::string& name) {
  std::istringstream path(from("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    if (!folder.empty() && is_program(folder + "/" + name)) return folder + "/" + name;
  std::vector<std::string> patterns;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto root = from(variable); !root.empty()) patterns.push_back(root + "/bin/");
  for (const char* folder :
       {"/usr/local/cuda/bin/", "/usr/local/cuda-1[2-9]*/bin/", "/opt/cuda/bin/",
        "/usr/local/cuda/compute-sanitizer/", "/opt/nvidia/nsight-compute/*/",
        "/usr/local/lib/python3*/dist-packages/triton/backends/nvidia/bin/",
        "/usr/lib/python3*/dist-packages/triton/backends/nvidia/bin/"})
    patterns.emplace_back(folder);
  if (const auto home = from("VIRTUAL_ENV"); !home.empty())
    patterns.push_back(home + "/lib/python3*/site-packages/triton/backends/nvidia/bin/");
  for (const auto& pattern : patterns)
    if (const auto found = first_match(pattern + name); !found.empty()) return found;
  return "";
}

}  // namespace hone::device
