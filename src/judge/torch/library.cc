#include "judge/torch/library.h"

#include <fmt/format.h>

#include "base/json.h"

namespace hone::judge {

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
  std::vector<core::Launch> operations;
  std::copy_if(plan.launches.begin(), plan.launches.end(), std::back_inserter(operations),
               [](const core::Launch& launch) { return launch.is_operation; });
  const auto described = [&](base::Fields& f) {
    f.items(operations, [&](const core::Launch& launch) {
      std::vector<std::string> words;
      for (const auto& [name, arg] : launch.words) words.push_back(name);
      f.row(launch.kernel, launch.args.size(), words, launch.out.size());
    });
  };
  return base::json_line(described) + "\n" + kernels;
}

}  // namespace hone::judge
