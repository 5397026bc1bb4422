#include "task/borrowed_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/source_lines.h"
#include "task/candidate_loader.h"
#include "task/plan_comment.h"

namespace hone::task {
namespace fs = std::filesystem;
namespace {

// Why the plan does not fit these kernels; "" where it does, as far as that can be seen without a
// compiler.
std::string misfit(const core::Plan& plan, const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const auto& kernel : kernels) names.push_back(quote(kernel.name));
  for (const auto& launch : plan.launches) {
    if (launch.is_operation) continue;
    const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& known) {
      return known.name == launch.kernel;
    });
    if (kernel == kernels.end())
      return fmt::format("launches {}, and the kernels here are {}", quote(launch.kernel),
                         names.empty() ? "none" : join(names, "and"));
    if (kernel->parameters.size() != launch.args.size())
      return fmt::format("gives {} {} arguments, and here it takes {}", quote(launch.kernel),
                         launch.args.size(), kernel->parameters.size());
  }
  return "";
}

base::Failure<Diagnostics> no_plan(const fs::path& path, const std::string& why) {
  return {Diagnostics{
      {path.string(),
       {1, 1},
       fmt::format(
           "there is no launch plan: {}. {} (`hone task new NAME --from {}` writes a plan to "
           "complete into a copy of it, NAME/seed{})",
           plan_form, why, path.string(), path.extension().string())}}};
}

}  // namespace

std::string with_plain_names(const std::string& source, const std::vector<Kernel>& kernels) {
  std::string out = source;
  for (auto kernel = kernels.rbegin(); kernel != kernels.rend(); ++kernel)
    if (!kernel->extern_c) out.insert(kernel->offset, "extern \"C\" ");
  return out;
}

base::Result<LoadedCandidate, Diagnostics> load_candidate_for(const core::Task& task,
                                                              const fs::path& path) {
  const std::string ending = path.extension().string();
  const bool cuda = ending == ".cu";
  const auto source =
      cuda || ending == ".cl" ? read_source(path) : base::Result<std::string, Diagnostics>("");
  if (!source) return base::Failure{source.error()};
  if ((!cuda && ending != ".cl") || has_plan(*source)) {
    auto candidate = load_candidate(path);
    if (!candidate) return base::Failure{candidate.error()};
    return LoadedCandidate{*std::move(candidate), ""};
  }
  const auto language = cuda ? core::Language::cuda : core::Language::opencl;
  const fs::path seed_path = task.folder / ("seed" + ending);
  const auto& seed = cuda ? task.seed_cu : task.seed_cl;
  if (!seed)
    return no_plan(path,
                   fmt::format("The task {} has no seed{} to take one from.", task.name, ending));
  Complaints unread(seed_path.string());
  const auto comment = find_plan(*seed, unread);
  const auto parsed = candidate_from(*seed, language, seed_path.string());
  if (!comment || !parsed)
    return no_plan(
        path, fmt::format("That of {} could be taken once it is complete (`hone task check {}`).",
                          seed_path.string(), task.folder.string()));
  const auto kernels = scan_kernels(*source, language);
  if (const auto why = misfit(parsed->plan, kernels); !why.empty())
    return no_plan(path, fmt::format("That of {} does not fit: it {}.", seed_path.string(), why));
  const std::string plan = seed->substr(comment->begin, comment->end - comment->begin) + "\n" +
                           std::string(core::line_restart);
  auto candidate = candidate_from(plan + (cuda ? with_plain_names(*source, kernels) : *source),
                                  language, path.string());
  if (!candidate) return base::Failure{candidate.error()};
  candidate->name = path.filename().string();
  return LoadedCandidate{*std::move(candidate), seed_path.string()};
}

}  // namespace hone::task
