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

namespace hone::cli {
using namespace text;

std::string compared_text(const app::CompareRequest& request, const app::CompareResult& result,
                          const Screen& screen) {
  return comparison_report(printable(request.a), printable(request.b), result.comparison,
                           result.device, screen);
}

int compare(const Typed<app::CompareRequest>& command) {
  Progress progress(command.json);
  const auto result = app::compare(command, progress);
  put(command.json ? base::json_text(result) : compared_text(command, result, screen_of(stdout)));
  if (result.not_recorded) return tell(*result.not_recorded);
  return static_cast<int>(exit_code(result.comparison));
}

}  // namespace hone::cli
