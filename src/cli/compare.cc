// `hone compare`: see app/compare.h.
#include "app/compare.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/streams.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

// Where two could not be compared: what one of them has to do with that.
base::ExitCode code_against(const core::Evaluation& side) {
  return app::was_judged(side) ? exit_code(side.outcome) : base::ExitCode::ok;
}

base::ExitCode code_of_comparison(const judge::ComparisonResult& result) {
  if (!result.refusal.empty()) return base::ExitCode::environment;
  if (!result.compared) {
    const auto code = worse(code_against(result.a), code_against(result.b));
    return code == base::ExitCode::ok ? base::ExitCode::not_accepted : code;
  }
  switch (result.word) {
    case core::Comparison::faster:
      return base::ExitCode::ok;
    case core::Comparison::slower:
      return base::ExitCode::slower;
    case core::Comparison::same:
      return base::ExitCode::same;
    default:
      return base::ExitCode::cannot_tell;
  }
}

void print_comparison(const app::CompareRequest& request, const app::CompareResult& result) {
  const Screen screen = screen_of(stdout);
  const auto& comparison = result.comparison;
  if (!comparison.refusal.empty()) fmt::print("{}\n", printable(comparison.refusal));
  if (comparison.compared) {
    put(comparison_report(printable(request.a), printable(request.b), comparison, screen));
    return;
  }
  for (const auto& [path, side] :
       {std::pair{&request.a, &comparison.a}, std::pair{&request.b, &comparison.b}})
    if (side->outcome != core::Outcome::accepted && app::was_judged(*side))
      fmt::print("{}: {}", printable(*path), evaluation_report(*side, result.device, screen));
}

}  // namespace

int compare(const Typed<app::CompareRequest>& command) {
  Progress progress(command.json);
  const auto result = app::compare(command, progress);
  if (command.json)
    put_json(result);
  else
    print_comparison(command, result);
  if (result.not_recorded) return tell(*result.not_recorded);
  return static_cast<int>(code_of_comparison(result.comparison));
}

}  // namespace hone::cli
