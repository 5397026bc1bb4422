// `hone selftest`: see app/selftest.h.
#include "app/selftest.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/selftest_text.h"

namespace hone::cli {
using namespace text;
namespace {

std::string summary(const app::SelftestResult& result) {
  std::string text = result.bad > 0         ? fmt::format("{} NOT as they should be", result.bad)
                     : result.undecided > 0 ? "the others as they should be"
                                            : "all as they should be";
  if (result.undecided == 0) return text;
  return fmt::format(
      "{} undecided, because other programs kept this machine busy (try again when it is idle), {}",
      result.undecided, text);
}

int print_guards(const SelftestCommand& command) {
  const auto list = app::list_guards(command);
  const std::string said =
      command.json ? base::json_text(list) : guards_text(list.guards, screen_of(stdout));
  put(said);
  return static_cast<int>(base::ExitCode::ok);
}

}  // namespace

int selftest(const SelftestCommand& command) {
  if (command.guards) return print_guards(command);
  if (!command.cheats)
    base::fail(base::ExitCode::usage,
               "say what to test: --cheats judges the shipped specimens of cheating, --guards "
               "lists the guards");
  Progress progress(command.json);
  const auto result = app::selftest(command, progress);
  if (command.json) {
    put_json(result);
  } else {
    put(selftest_text(result.lines, screen_of(stdout)));
    fmt::print("{} specimens on {} {}: {}\n", result.shown, result.device.id,
               printable(result.device.name), summary(result));
  }
  return static_cast<int>(result.bad > 0         ? base::ExitCode::not_accepted
                          : result.undecided > 0 ? base::ExitCode::undecided
                                                 : base::ExitCode::ok);
}

}  // namespace hone::cli
