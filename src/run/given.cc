#include "run/given.h"

#include <fmt/format.h>

#include "base/error.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "task/plan_comment.h"

namespace hone::run {
namespace {

using core::Language;
using core::Origin;

struct Source {
  core::NodePosition place;
  std::string text, name, author;
};

std::vector<Source> sources_of_task(const RunContext& context) {
  const core::Task& task = context.task;
  std::vector<Source> sources;
  const auto add = [&](const std::string& text, const std::string& name, int index) {
    sources.push_back({{.origin = Origin::task_seed, .index = index}, text, name, "the task"});
  };
  if (context.writes_python() && task.seed_py) add(*task.seed_py, "seed.py", 0);
  if (context.language() == Language::cuda && task.seed_cu) add(*task.seed_cu, "seed.cu", 0);
  if (context.language() == Language::opencl && task.seed_cl) add(*task.seed_cl, "seed.cl", 0);
  if (task.external) {
    int index = 0;
    for (const auto& own : task.external->seeds) add(own.source, own.name, ++index);
  }
  return sources;
}

// A kernel without a plan gets that of the task's seed.
Source source_of_user(const RunContext& context, const std::filesystem::path& path, int index) {
  const core::Task& task = context.task;
  auto source = task::read_source(path);
  if (source && !task.external && !task::has_plan(*source) && !context.writes_python()) {
    auto loaded = task::load_candidate_for(task, path);
    if (loaded)
      source = std::move(loaded->candidate.source);
    else
      source = base::Failure{loaded.error()};
  }
  if (!source)
    base::fail(base::ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
  return {
      {.origin = Origin::user_seed, .index = index}, *source, path.filename().string(), "the user"};
}

}  // namespace

std::vector<GivenKernel> given_kernels(const RunContext& context,
                                       const std::function<void(const std::string&)>& say) {
  auto sources = sources_of_task(context);
  for (std::size_t i = 0; i < context.settings.seeds.size(); ++i)
    sources.push_back(source_of_user(context, context.settings.seeds[i], static_cast<int>(i)));
  std::vector<GivenKernel> given;
  for (const auto& source : sources) {
    auto candidate = task::candidate_from(source.text, context.language(), source.name);
    if (candidate)
      given.push_back({source.place, *std::move(candidate), source.author});
    else
      say(fmt::format("{} cannot be a candidate of the first generation: {}", source.name,
                      task::render_with_sources(candidate.error())));
  }
  return given;
}

}  // namespace hone::run
