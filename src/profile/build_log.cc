#include "profile/build_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "device/cuda_image.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

struct Row {
  std::string_view tag, hint;
  std::optional<double> value;
};

std::optional<double> told(std::int64_t value) {
  return value < 0 ? std::nullopt : std::optional<double>(static_cast<double>(value));
}
std::optional<double> either(std::optional<double> first, std::optional<double> second) {
  return first ? first : second;
}

// ptxas's word first (null: it said nothing); the loaded function knows some of it as well.
std::vector<Row> rows_for(const device::cuda::PtxasFigures* ptxas, const device::KernelInfo& info) {
  const auto said = [&](std::int64_t device::cuda::PtxasFigures::*what) {
    return ptxas == nullptr || ptxas->registers < 0 ? std::nullopt : told(ptxas->*what);
  };
  using Figures = device::cuda::PtxasFigures;
  return {{tag::registers, "1", either(said(&Figures::registers), told(info.registers))},
          {tag::spill_stores, "B", said(&Figures::spill_stores)},
          {tag::spill_loads, "B", said(&Figures::spill_loads)},
          {tag::stack, "B", either(said(&Figures::stack_bytes), told(info.local_bytes))},
          {tag::shared_static, "B", either(told(info.shared_bytes), said(&Figures::shared_bytes))},
          {tag::constant, "B", told(info.constant_bytes)}};
}

}  // namespace

Collected collect_build(const std::vector<device::KernelInfo>& kernels,
                        const core::ResolvedPlan& plan, const std::string& log) {
  Collected collected;
  const auto figures = device::cuda::ptxas_figures(log);
  std::set<int> seen;
  for (const auto& launch : plan.launches) {
    if (!seen.insert(launch.plan_index).second) continue;
    const auto ptxas = std::find_if(figures.begin(), figures.end(),
                                    [&](const auto& each) { return each.kernel == launch.kernel; });
    const auto info = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const auto& each) { return each.name == launch.kernel; });
    const std::string why = fmt::format(
        "neither the compiler's log nor the loaded kernel says it of {}", launch.kernel);
    for (const auto& row : rows_for(ptxas == figures.end() ? nullptr : &*ptxas,
                                    info == kernels.end() ? device::KernelInfo{} : *info))
      collected.metrics.push_back({std::string(row.tag),
                                   std::string(row.hint),
                                   row.value,
                                   row.value ? "" : why,
                                   "",
                                   launch.plan_index,
                                   {}});
  }
  return collected;
}

Collected collect_launches(const core::ResolvedPlan& plan) {
  Collected collected;
  std::map<int, int> repeats;
  for (const auto& launch : plan.launches) ++repeats[launch.plan_index];
  std::set<int> seen;
  for (const auto& launch : plan.launches) {
    if (!seen.insert(launch.plan_index).second) continue;
    const auto add = [&](std::string_view tag, const char* hint, double value) {
      collected.metrics.push_back({std::string(tag), hint, value, "", "", launch.plan_index, {}});
    };
    const auto product = [](const core::Dim3& dims) {
      return static_cast<double>(dims[0]) * static_cast<double>(dims[1]) *
             static_cast<double>(dims[2]);
    };
    double local = static_cast<double>(launch.shared);
    for (const auto& arg : launch.args)
      if (arg.kind == core::ResolvedArg::Kind::local) local += static_cast<double>(arg.integer);
    add(tag::blocks, "1", product(launch.grid));
    add(tag::threads, "1", product(launch.block));
    add(tag::shared_dynamic, "B", local);
    add(tag::cluster, "1", std::max(1.0, product(launch.cluster)));
    add(tag::repeats, "1", repeats[launch.plan_index]);
  }
  return collected;
}

}  // namespace hone::profile
