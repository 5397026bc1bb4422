// `hone eval`: see app/evaluate.h.
#include "app/evaluate.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;

std::string verdict_report(const app::Verdict& verdict, const core::DeviceInfo& device,
                           const Screen& screen) {
  return evaluation_report(verdict.evaluation, device, screen) +
         (verdict.id.empty() ? "" : fmt::format("recorded as {}\n", verdict.id));
}

int eval(const Typed<app::EvaluateRequest>& command) {
  Progress progress(command.json);
  const bool several = command.candidates.size() > 1;
  bool first = true;
  const auto print = [&](const app::Verdict& verdict, const core::DeviceInfo& device) {
    if (command.json) return;
    if (several)
      std::printf("%s%s\n", std::exchange(first, false) ? "" : "\n", verdict.file.c_str());
    put(verdict_report(verdict, device, screen_of(stdout)));
    std::fflush(stdout);
  };
  const auto result = app::evaluate(command, progress, print);
  if (command.json) put_json(result);
  // A verdict that is in no archive is told all the same; a script must notice that it is in none.
  std::optional<base::Error> not_recorded;
  for (const auto& verdict : result.verdicts)
    if (verdict.not_recorded) not_recorded = verdict.not_recorded;
  return not_recorded ? tell(*not_recorded) : static_cast<int>(exit_code(result));
}

}  // namespace hone::cli
