#include "judge/torch/library.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hone::judge {

using nlohmann::json;

std::string no_library_here(const core::Plan& plan, const core::DeviceInfo& info) {
  if (!core::has_operations(plan) || info.language == core::Language::cuda) return "";
  if (!core::capabilities(info).native_code)
    return fmt::format("library operations run on CUDA and on CPUs, and {} is neither", info.id);
  if (core::kernel_names(plan).empty()) return "";
  return fmt::format(
      "the plan has library operations and kernels ({}): on a CPU they run in different processes, "
      "so only plans of operations alone can be judged there; with both, choose a CUDA device",
      core::kernel_names(plan).front());
}

std::string library_image(const core::Plan& plan, const std::string& kernels) {
  json operations = json::array();
  for (const auto& launch : plan.launches) {
    if (!launch.is_operation) continue;
    json words = json::array();
    for (const auto& [name, arg] : launch.words) words.push_back(name);
    operations.push_back({launch.kernel, launch.args.size(), words, launch.out.size()});
  }
  return operations.dump() + "\n" + kernels;
}

}  // namespace hone::judge
