#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "run/interrupt.h"
#include "run/learn.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;

using base::ExitCode;

int learn(const LearnCommand& command) {
  const run::Interrupt interrupt;
  const char* common = std::getenv("HONE_LLM");
  const std::string spec = !command.llm.empty() ? command.llm : common != nullptr ? common : "";
  if (spec.empty())
    base::fail(ExitCode::usage, "digesting a document needs a model: name one with --llm (docs/models.md)");
  run::RoleModel model{llm::make_client(spec), {}};
  model.price = llm::price_of(*model.client, command.price);
  if (!model.price && !model.client->price_name().empty() && command.max_usd > 0)
    base::fail(ExitCode::usage, "--max-usd {:g}: the price of {} is not known; give it with --price IN,OUT",
               command.max_usd, model.client->name());
  std::optional<core::Task> task;
  if (!command.task.empty()) task = task_from(command.task);
  auto archive = archive_for(command);
  run::LearnOptions options;
  options.files.assign(command.files.begin(), command.files.end());
  options.task_name = task ? task->name : "";
  options.device = command.device;
  options.budget.usd = command.max_usd;
  options.again = command.again;
  Progress progress(command.json);
  const auto learned =
      run::learn(archive, options, task ? &*task : nullptr, model, interrupt.flag(), [&](const std::string& text) {
        progress.step({text, {}, {}});
      });
  progress.step({});
  if (command.json) {
    nlohmann::json findings = nlohmann::json::array();
    for (const auto& finding : learned.findings)
      findings.push_back({{"id", finding.id}, {"text", finding.text}, {"source", finding.source}});
    std::fputs(core::json_text({{"run", learned.run},
                                {"findings", findings},
                                {"problems", learned.problems},
                                {"known", learned.known},
                                {"usd", learned.spending.usd},
                                {"calls", learned.spending.calls}})
                   .c_str(),
               stdout);
  } else {
    for (const auto& finding : learned.findings)
      std::printf("%s  %s\n", finding.id.c_str(), printable(finding.text).c_str());
    std::printf("%zu findings, %lld calls, %.2f dollars. `hone findings` lists, edits and deletes them.\n",
                learned.findings.size(), static_cast<long long>(learned.spending.calls), learned.spending.usd);
    for (const auto& known : learned.known)
      std::fprintf(stderr, "known already: %s; --again digests it once more\n", printable(known).c_str());
    for (const auto& problem : learned.problems) std::fprintf(stderr, "%s\n", printable(problem).c_str());
  }
  if (interrupt.requested()) return static_cast<int>(ExitCode::interrupted);
  return static_cast<int>(learned.problems.empty() ? ExitCode::ok : ExitCode::not_accepted);
}

}  // namespace hone::cli
