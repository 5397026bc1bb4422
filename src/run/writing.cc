#include "run/writing.h"

#include "run/names.h"
#include "run/questions.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::run {
namespace {

// "translation.cu", "writer-2.cu": the place without its generation and attempt.
std::string file_name(const RunContext& context, const core::NodePosition& place) {
  std::string name = name_of_place(place);
  name = name.substr(name.find('/') + 1);
  return name.substr(0, name.find('/')) + "." + source_extension(context);
}

// What is wrong with a source before anything is built: it does not parse, or does not fit the
// task. "": nothing.
std::string complaint_about(const base::Result<core::Candidate, task::Diagnostics>& candidate,
                            const core::Task& task, const std::string& source) {
  if (!candidate) return base::render(candidate.error(), source);
  if (candidate->language == core::Language::external ||
      candidate->language == core::Language::python)
    return "";
  core::Plan plan = candidate->plan;
  const auto problems = task::check_plan(plan, task, candidate->name);
  return problems.empty() ? "" : base::render(problems, source);
}

}  // namespace

base::Result<WrittenCandidate> candidate_from(const RunContext& context,
                                              const core::NodePosition& place,
                                              const llm::Reply& reply, const std::string& edited) {
  const auto written = agents::parse_written(reply, edited, source_form(context));
  if (!written) return base::Failure{written.error()};
  auto candidate =
      task::candidate_from(written->source, context.language(), file_name(context, place));
  if (auto complaint = complaint_about(candidate, context.task, written->source);
      !complaint.empty())
    return base::Failure{std::move(complaint)};
  return WrittenCandidate{*std::move(candidate), written->report};
}

}  // namespace hone::run
