// `hone eval`: see app/evaluate.h.
#include "app/evaluate.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;

int eval(const Typed<app::EvaluateRequest>& command) {
  Progress progress(command.json);
  const bool several = command.candidates.size() > 1;
  bool first = true;
  const auto print = [&](const app::Verdict& verdict, const core::DeviceInfo& device) {
    if (command.json) return;
    if (several)
      std::printf("%s%s\n", std::exchange(first, false) ? "" : "\n", verdict.file.c_str());
    put(evaluation_report(verdict.evaluation, device, screen_of(stdout)));
    if (!verdict.id.empty()) std::printf("recorded as %s\n", verdict.id.c_str());
    std::fflush(stdout);
  };
  const auto result = app::evaluate(command, progress, print);
  if (command.json) put_json(result);
  auto code = base::ExitCode::ok;
  std::optional<base::Error> not_recorded;
  for (const auto& verdict : result.verdicts) {
    code = worse(code, exit_code(verdict.evaluation.outcome));
    if (verdict.not_recorded) not_recorded = verdict.not_recorded;
  }
  return not_recorded ? tell(*not_recorded) : static_cast<int>(code);
}

}  // namespace hone::cli
