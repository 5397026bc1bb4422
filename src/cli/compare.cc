// `hone compare`: see app/compare.h.
#include "app/compare.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;

std::string compared_text(const app::CompareRequest& request, const app::CompareResult& result,
                          const Screen& screen) {
  const auto& comparison = result.comparison;
  std::string out;
  if (!comparison.refusal.empty()) out += printable(comparison.refusal) + "\n";
  if (comparison.compared)
    return out + comparison_report(printable(request.a), printable(request.b), comparison, screen);
  // What kept them from being compared: the whole verdict on a side that was refused.
  for (const auto& [path, side] :
       {std::pair{&request.a, &comparison.a}, std::pair{&request.b, &comparison.b}})
    if (side->outcome != core::Outcome::accepted && app::was_judged(*side))
      out +=
          fmt::format("{}: {}", printable(*path), evaluation_report(*side, result.device, screen));
  return out;
}

int compare(const Typed<app::CompareRequest>& command) {
  Progress progress(command.json);
  const auto result = app::compare(command, progress);
  put(command.json ? base::json_text(result) : compared_text(command, result, screen_of(stdout)));
  if (result.not_recorded) return tell(*result.not_recorded);
  return static_cast<int>(exit_code(result.comparison));
}

}  // namespace hone::cli
