// `hone log`: see app/log.h.
#include "cli/log.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"

namespace hone::cli {
using namespace text;

std::string log_text(const app::LogRequest& request, const app::LogResult& result,
                     const Screen& screen) {
  if (result.evaluations.empty()) {
    const bool filtered = !request.task.empty() || request.outcome || !request.before.empty();
    return filtered ? "No evaluation in the archive matches.\n"
                    : "The archive is empty: `hone eval TASK CANDIDATE` records an evaluation.\n";
  }
  std::string out = evaluation_table(result.evaluations, screen);
  if (!result.next.empty() && screen.width > 0)
    out += paint("earlier ones: --before " + result.next, Colour::faint, screen) + "\n";
  return out;
}

int log(const Typed<app::LogRequest>& command) {
  const auto result = app::log(command);
  put(command.json ? base::json_text(result) : log_text(command, result, screen_of(stdout)));
  return 0;
}

}  // namespace hone::cli
