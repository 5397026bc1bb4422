#include "device/cuda_toolkit.h"

#include <glob.h>

#include <cstdlib>
#include <filesystem>

namespace hone::device::cuda {
namespace {
namespace fs = std::filesystem;

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return paths;
}

std::vector<std::string> toolkit_roots() {
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      roots.emplace_back(value);
  roots.emplace_back("/usr/local/cuda");
  for (auto& root : matching("/usr/local/cuda-1[2-9]*")) roots.push_back(root);
  return roots;
}

// nvidia/ folders of Python wheels: each component has its own lib/ and include/ there; from CUDA
// 13 on they share cu13/.
std::vector<std::string> wheel_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      for (auto& path : matching(std::string(value) + "/lib/python3*/site-packages/nvidia"))
        folders.push_back(path);
  for (const char* pattern :
       {"/usr/local/lib/python3*/dist-packages/nvidia",
        "/usr/local/lib/python3*/site-packages/nvidia", "/usr/lib/python3*/dist-packages/nvidia",
        "/usr/lib/python3*/site-packages/nvidia"})
    for (auto& path : matching(pattern)) folders.push_back(path);
  return folders;
}

void add_headers(const fs::path& folder, std::vector<std::string>& folders) {
  std::error_code ec;
  if (!fs::exists(folder / "cuda_fp16.h", ec)) return;
  folders.push_back(folder.string());
  if (fs::is_directory(folder / "cccl", ec)) folders.push_back((folder / "cccl").string());
}

}  // namespace

// In this order: what the user's variables and the usual folder have, what the loader finds by
// name, what Python wheels brought along.
std::vector<std::string> nvrtc_places() {
  constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::string> places;
  std::error_code ec;
  for (const auto& root : toolkit_roots())
    for (const char* name : names)
      for (const char* folder : {"/lib64/", "/lib/"})
        if (const auto path = root + folder + name; fs::exists(path, ec)) places.push_back(path);
  for (const char* name : names) places.emplace_back(name);
  for (const auto& wheels : wheel_folders())
    for (const char* component : {"/cu13/lib/libnvrtc.so.*", "/cuda_nvrtc/lib/libnvrtc.so.*"})
      for (auto& path : matching(wheels + component)) places.push_back(path);
  return places;
}

std::vector<std::string> cupti_places() {
  constexpr const char* names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  std::vector<std::string> places;
  std::error_code ec;
  for (const auto& root : toolkit_roots())
    for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/"})
      for (const char* name : names)
        if (const auto path = root + folder + name; fs::exists(path, ec)) places.push_back(path);
  for (const char* name : names) places.emplace_back(name);
  for (const auto& wheels : wheel_folders())
    for (const char* component : {"/cu13/lib/libcupti.so.*", "/cuda_cupti/lib/libcupti.so.*"})
      for (auto& path : matching(wheels + component)) places.push_back(path);
  return places;
}

std::vector<std::string> header_folders(const std::string& library) {
  std::vector<std::string> folders;
  const auto first = [&](const fs::path& folder) {
    if (folders.empty()) add_headers(folder, folders);
  };
  if (const fs::path path = library; path.has_parent_path()) {
    first(path.parent_path() / "../include");
    first(path.parent_path() / "../../cuda_runtime/include");  // the wheels of CUDA 12
  }
  for (const auto& root : toolkit_roots()) first(root + "/include");
  for (const auto& wheels : wheel_folders()) {
    first(wheels + "/cu13/include");
    first(wheels + "/cuda_runtime/include");
  }
  return folders;
}

}  // namespace hone::device::cuda
