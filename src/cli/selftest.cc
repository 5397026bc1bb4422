// `hone selftest`: see app/selftest.h.
#include "app/selftest.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/results.h"
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

}  // namespace

std::string selftested_text(const app::SelftestResult& result, const Screen& screen) {
  return selftest_text(result.lines, screen) +
         fmt::format("{} specimens on {} {}: {}\n", result.shown, result.device.id,
                     printable(result.device.name), summary(result));
}

namespace {

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
  put(command.json ? base::json_text(result) : selftested_text(result, screen_of(stdout)));
  return static_cast<int>(exit_code(result));
}

}  // namespace hone::cli
