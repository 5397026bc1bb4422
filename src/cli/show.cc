// `hone show`: see app/show.h.
#include "app/show.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/record_text.h"
#include "text/table.h"

namespace hone::cli {
namespace {

using text::Column;
using text::Screen;

std::string number_text(core::NodeId number) {
  return number == 0 ? "-" : fmt::format("{:05}", number);
}

std::string remark_on(const app::ShownNode& node) {
  if (node.view.is_incumbent) return "the incumbent";
  if (node.view.same != 0) return "the same as " + number_text(node.view.same);
  return node.view.pruned.empty() ? "" : "left: " + node.view.pruned;
}

std::string text_of(const app::ShownTree& tree, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  text::Table table({{"node"},
                     {"outcome", Column::Align::left, 4},
                     {"time", right},
                     {"over seed", right},
                     {"visits", right},
                     {"value", right},
                     {"best", right},
                     {"", Column::Align::left, 2},
                     {"why", Column::Align::left, 3}});
  for (const app::ShownNode& node : tree.nodes) {
    const search::NodeView& view = node.view;
    table.add(
        {std::string(2 * static_cast<std::size_t>(view.depth), ' ') + number_text(view.number),
         node.outcome, node.seconds ? text::format_seconds(*node.seconds) : "-",
         view.speedup ? fmt::format("{:.3f}", *view.speedup) : "-", std::to_string(view.visits),
         view.visits > 0 ? fmt::format("{:.2f}", view.value) : "-", number_text(view.best),
         text::printable(remark_on(node)), text::printable(node.why)});
  }
  return table.text(screen);
}

std::string text_of(const app::ShownReason& reason, const Screen&) {
  std::string all = fmt::format("{} of run {}\n", number_text(reason.node.view.number), reason.run);
  for (const std::string& sentence : reason.sentences)
    all += "  " + text::printable_lines(sentence) + "\n";
  return all;
}

template <typename Record>
std::string text_of(const Record& record, const Screen& screen) {
  return text::record_text(record, screen);
}

}  // namespace

int show(const Typed<app::ShowRequest>& command) {
  const auto shown = app::show(command);
  const Screen screen = text::screen_of(stdout);
  put(command.json
          ? base::json_text(shown)
          : std::visit([&](const auto& one) { return text_of(one, screen); }, shown.shown));
  return 0;
}

}  // namespace hone::cli
