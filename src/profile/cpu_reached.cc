#include "profile/cpu_reached.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "profile/source_loops.h"

namespace hone::profile {
namespace {

// The plan with a buffer for marks as every launch's last argument.
core::ResolvedPlan with_marks_buffer(core::ResolvedPlan plan, std::size_t marks) {
  core::ResolvedBuffer buffer;
  buffer.name = "hone_marks";
  buffer.role = core::ResolvedBuffer::Role::scratch;
  buffer.dtype = core::DType::i32;
  buffer.dims = {static_cast<std::int64_t>(marks)};
  buffer.bytes = marks * sizeof(int);
  plan.buffers.push_back(buffer);
  core::ResolvedArg argument;
  argument.kind = core::ResolvedArg::Kind::buffer;
  argument.index = static_cast<int>(plan.buffers.size()) - 1;
  argument.text = buffer.name;
  for (auto& launch : plan.launches) launch.args.push_back(argument);
  return plan;
}

base::Result<Loaded> called_once(judge::Judge& judge, ProfilingSetup& setup) {
  const auto built = build_for(judge, setup.candidate, setup.point, false);
  if (!built) return base::Failure{built.error()};
  auto runner = std::make_unique<runner::Runner>(
      judge.info(), runner::runner_options(judge.info(), judge.options().unsafe));
  auto loaded = load_into(setup, std::move(runner), built->result.image);
  if (!loaded) return base::Failure{loaded.error()};
  judge::CallOptions options;
  options.seconds = judge.options().call_seconds;
  options.verify = false;
  if (const auto called = setup.caller.call(loaded->bound, setup.inputs, options); !called)
    return base::Failure{called.error().text};
  setup.caller.forget(setup.inputs);
  return loaded;
}

base::Result<std::vector<SourceLoop>> loops_never_entered(judge::Judge& judge,
                                                          const judge::Ready& ready,
                                                          const core::Case& which,
                                                          const core::ResolvedPlan& plan) {
  std::vector<std::string> names;
  for (const auto& kernel : ready.kernels) names.push_back(kernel.name);
  const MarkedSource marked = with_marks(ready.candidate.source, names);
  if (marked.loops.empty()) return std::vector<SourceLoop>{};
  core::Candidate candidate = ready.candidate;
  candidate.source = marked.text;
  ProfilingSetup setup(judge, candidate, ready.point, which,
                       with_marks_buffer(plan, marked.loops.size()));
  const auto loaded = called_once(judge, setup);
  if (!loaded) return base::Failure{loaded.error()};
  std::vector<int> marks(marked.loops.size());
  judge.tensor_ops().read(setup.working.all().back().data, marks.data());
  std::vector<SourceLoop> never;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const SourceLoop& loop = marked.loops[i];
    const bool inside = std::any_of(never.begin(), never.end(),
                                    [&](const SourceLoop& one) { return one.holds(loop); });
    if (marks[i] != first_mark + static_cast<int>(i) && !inside) never.push_back(loop);
  }
  return never;
}

}  // namespace

base::Result<std::unique_ptr<ReachedCode>> reached_code(judge::Judge& judge,
                                                        const judge::Ready& ready,
                                                        const core::Case& which,
                                                        const core::ResolvedPlan& plan) try {
  auto reached = std::make_unique<ReachedCode>();
  judge.make_room(which);
  const auto never = loops_never_entered(judge, ready, which, plan);
  if (!never) return base::Failure{never.error()};
  if (never->empty()) return reached;
  for (const auto& loop : *never) reached->never.push_back(loop.line);
  reached->candidate = ready.candidate;
  reached->candidate.source = with_traps(ready.candidate.source, *never);
  reached->setup =
      std::make_unique<ProfilingSetup>(judge, reached->candidate, ready.point, which, plan);
  auto loaded = called_once(judge, *reached->setup);
  if (!loaded) return base::Failure{loaded.error()};
  reached->loaded = *std::move(loaded);
  return reached;
} catch (const base::Error&
             error) {  // no room for another set of buffers, say: the rest of the profile stands
  return base::Failure{std::string(error.what())};
}

}  // namespace hone::profile
