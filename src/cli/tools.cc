// `hone tools`: see app/tools.h.
#include "app/tools.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/format.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

std::string part_of(int part, int of) { return of > 0 ? fmt::format("{} of {}", part, of) : "-"; }

std::string tools_table(const app::ToolsResult& result, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"tool"},
               {"fired", right},
               {"shown", right, 3},
               {"cited", right, 2},
               {"right", right},
               {"weight", right},
               {"covered", right, 1},
               {"width", right, 4},
               {"gained", right},
               {"finds"}});
  for (const auto& tool : result.tools) {
    const auto& r = tool.record;
    table.add({printable(tool.name), std::to_string(r.fired), std::to_string(r.shown),
               std::to_string(r.cited), part_of(r.right, r.followed),
               fmt::format("{:.2f}", tool.weight()), part_of(r.covered, r.followed),
               r.fired > 0 ? fmt::format("{:.3g} %", r.width) : "-",
               r.followed > 0 ? fmt::format("{:.3g} %", r.realised) : "-",
               printable(tool.summary)});
  }
  return table.text(screen);
}

}  // namespace

int tools(const Typed<app::ToolsRequest>& command) {
  const auto result = app::tools(command);
  if (command.json) {
    put_json(result);
    return 0;
  }
  put(tools_table(result, screen_of(stdout)));
  std::fputs(
      "fired: advice in all profiles; shown: to designers; cited: by experiments. Of the cited "
      "ones that came to an accepted kernel:\nright: it gained at least the low end of the "
      "prediction (the middle, where the low end is below 1 %); weight: what that makes of its "
      "gains in the order of advice;\ncovered: the gain was inside the interval. width: of its "
      "intervals, mean; gained: mean.\n",
      stdout);
  return 0;
}

}  // namespace hone::cli
