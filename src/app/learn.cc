#include "app/learn.h"

#include <cstdlib>
#include <optional>

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"

namespace hone::app {
namespace {

using base::ExitCode;

run::RoleModel model_for(const LearnRequest& request) {
  const char* common = std::getenv("HONE_LLM");
  const std::string spec = !request.llm.empty() ? request.llm : common != nullptr ? common : "";
  if (spec.empty())
    base::fail(ExitCode::usage,
               "digesting a document needs a model: name one with --llm (docs/models.md)");
  run::RoleModel model{llm::make_client(spec), {}};
  model.price = llm::price_of(*model.client, request.price);
  if (!model.price && !model.client->price_name().empty() && request.max_usd > 0)
    base::fail(ExitCode::usage,
               "--max-usd {:g}: the price of {} is not known; give it with --price IN,OUT",
               request.max_usd, model.client->name());
  return model;
}

}  // namespace

LearnResult learn(const LearnRequest& request, Sink& sink) {
  const run::RoleModel model = model_for(request);
  std::optional<core::Task> task;
  if (!request.task.empty()) task = task_from(request.task, sink);
  auto archive = archive_for(request);
  run::LearnOptions options;
  options.files.assign(request.files.begin(), request.files.end());
  options.task_name = task ? task->name : "";
  options.device = request.target;
  options.budget.usd = request.max_usd;
  options.again = request.again;
  LearnResult result{run::learn(archive, options, task ? &*task : nullptr, model, sink.cancelled(),
                                steps_to(sink))};
  result.cancelled = sink.cancelled();
  sink.step({});
  return result;
}

void describe(base::Fields& f, const LearnResult& result) {
  const run::Learned& learned = result.learned;
  f("run", learned.run);
  f.list("findings", learned.findings, [&](const store::Finding& finding) {
    f("id", finding.id)("text", finding.text)("source", finding.source);
  });
  f("problems", learned.problems)("known", learned.known)("usd", learned.spending.usd);
  f("calls", learned.spending.calls);
}

}  // namespace hone::app
