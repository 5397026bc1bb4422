// `hone tools`: every tool that explains, what it finds, and what became of its advice in all runs of the archive.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "profile/tool.h"
#include "store/advice_ledger.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

// A tool as it is listed: of the table, or only known from the archive (a user's program, or of another version).
struct Listed {
  std::string name, summary, trigger;
  std::vector<std::string> classes, needs;
  std::string hardware;
  store::ToolRecord record;

  double weight() const { return profile::weight_of({record.followed, record.right}); }
};

std::string hardware_name(profile::Hardware hardware) {
  switch (hardware) {
    case profile::Hardware::any:
      return "any";
    case profile::Hardware::gpu:
      return "gpu";
    case profile::Hardware::nvidia:
      return "nvidia";
    case profile::Hardware::cpu:
      return "cpu";
  }
  return "";
}

std::vector<Listed> all_tools(store::Archive& archive) {
  std::map<std::string, store::ToolRecord> records;
  for (auto& record : store::tool_records(archive)) records[record.tool] = record;
  std::vector<Listed> list;
  for (const profile::Tool& tool : profile::tools()) {
    Listed& one = list.emplace_back();
    one.name = tool.name;
    one.summary = tool.summary;
    one.trigger = tool.trigger;
    one.hardware = hardware_name(tool.hardware);
    for (const auto bound : tool.classes) one.classes.emplace_back(core::name_of(bound));
    one.needs.assign(tool.needs.begin(), tool.needs.end());
    if (const auto found = records.find(one.name); found != records.end()) {
      one.record = found->second;
      records.erase(found);
    }
  }
  for (const auto& [name, record] : records)
    list.push_back({name, "a program, or a tool of another version of hone", "", {}, {}, "", record});
  return list;
}

json share(int part, int of) { return of > 0 ? json(static_cast<double>(part) / of) : json(nullptr); }

std::string part_of(int part, int of) { return of > 0 ? fmt::format("{} of {}", part, of) : "-"; }

void print_json(const std::vector<Listed>& tools) {
  json list = json::array();
  for (const auto& tool : tools) {
    const auto& r = tool.record;
    list.push_back({{"tool", tool.name},
                    {"summary", tool.summary},
                    {"trigger", tool.trigger},
                    {"classes", tool.classes},
                    {"hardware", tool.hardware.empty() ? json(nullptr) : json(tool.hardware)},
                    {"needs", tool.needs},
                    {"fired", r.fired},
                    {"shown", r.shown},
                    {"cited", r.cited},
                    {"followed", r.followed},
                    {"right", r.right},
                    {"weight", tool.weight()},
                    {"covered", r.covered},
                    {"coverage", share(r.covered, r.followed)},
                    {"mean_width", r.fired > 0 ? json(r.width) : json(nullptr)},
                    {"mean_realised", r.followed > 0 ? json(r.realised) : json(nullptr)}});
  }
  std::fputs(core::json_text({{"tools", list}}).c_str(), stdout);
}

}  // namespace

int tools(const ToolsCommand& command) {
  auto archive = archive_to_read(command);
  const auto list = all_tools(archive);
  if (command.json) {
    print_json(list);
    return 0;
  }
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
  for (const auto& tool : list) {
    const auto& r = tool.record;
    table.add({printable(tool.name), std::to_string(r.fired), std::to_string(r.shown), std::to_string(r.cited),
               part_of(r.right, r.followed), fmt::format("{:.2f}", tool.weight()), part_of(r.covered, r.followed),
               r.fired > 0 ? fmt::format("{:.3g} %", r.width) : "-",
               r.followed > 0 ? fmt::format("{:.3g} %", r.realised) : "-", printable(tool.summary)});
  }
  std::fputs(table.text(screen_of(stdout)).c_str(), stdout);
  std::fputs(
      "fired: advice in all profiles; shown: to designers; cited: by experiments. Of the cited ones that came to an "
      "accepted kernel:\nright: it gained at least the low end of the prediction (the middle, where the low end is "
      "below 1 %); weight: what that makes of its gains in the order of advice;\ncovered: the gain was inside the "
      "interval. width: of its intervals, mean; gained: mean.\n",
      stdout);
  return 0;
}

}  // namespace hone::cli
