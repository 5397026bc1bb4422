#include "app/tools.h"

#include <map>

#include "app/inputs.h"
#include "base/fields.h"
#include "profile/tool.h"

namespace hone::app {
namespace {

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

std::optional<double> share(int part, int of) {
  return of > 0 ? std::optional(static_cast<double>(part) / of) : std::nullopt;
}

}  // namespace

double ListedTool::weight() const { return profile::weight_of({record.followed, record.right}); }

ToolsResult tools(const ToolsRequest& request) {
  auto archive = archive_to_read(request);
  std::map<std::string, store::ToolRecord> records;
  for (auto& record : store::tool_records(archive)) records[record.tool] = record;
  ToolsResult result;
  for (const profile::Tool& tool : profile::tools()) {
    ListedTool& one = result.tools.emplace_back();
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
    result.tools.push_back(
        {name, "a program, or a tool of another version of hone", "", {}, {}, "", record});
  return result;
}

void describe(base::Fields& f, const ListedTool& tool) {
  const auto& r = tool.record;
  f("tool", tool.name)("summary", tool.summary)("trigger", tool.trigger)("classes", tool.classes);
  f("hardware", base::or_null(tool.hardware))("needs", tool.needs)("fired", r.fired);
  f("shown", r.shown)("cited", r.cited)("followed", r.followed)("right", r.right);
  f("weight", tool.weight())("covered", r.covered)("coverage", share(r.covered, r.followed));
  f("mean_width", r.fired > 0 ? &r.width : nullptr);
  f("mean_realised", r.followed > 0 ? &r.realised : nullptr);
}

void describe(base::Fields& f, const ToolsResult& result) { f("tools", result.tools); }

}  // namespace hone::app
