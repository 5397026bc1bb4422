#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/evaluation_text.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/table.h"
#include "device/device.h"
#include "judge/selftest.h"

namespace hone::cli {
namespace {

using judge::SelftestLine;
using State = SelftestLine::State;
using nlohmann::json;

const char* name_of(State state) {
  switch (state) {
    case State::caught:
      return "caught";
    case State::missed:
      return "MISSED";
    case State::through:
      return "came through";
    case State::held_back:
      return "HELD BACK";
    default:
      return "not here";
  }
}

json to_json(const SelftestLine& line) {
  return {{"row", line.row},
          {"title", line.title},
          {"specimen", line.specimen},
          {"guard", line.guard},
          {"device", line.device},
          {"state", name_of(line.state)},
          {"verdict", line.verdict},
          {"text", line.text},
          {"twin", line.twin},
          {"twin_text", line.twin_text},
          {"false_alarm", line.false_alarm},
          {"good", line.good()}};
}

void print_lines(const std::vector<SelftestLine>& lines, const Screen& screen) {
  Table table({{"row"}, {"specimen"}, {"what it does"}, {"guard"}, {"on"}, {""}, {"verdict"}, {"twin"}});
  for (const auto& line : lines) {
    if (line.state == State::not_here) continue;
    const bool good = line.state == State::caught || line.state == State::through;
    table.add({line.row, line.specimen, line.title, line.guard.empty() ? "(structural)" : line.guard, line.device,
               paint(name_of(line.state), good ? Colour::good : Colour::bad, screen), printable(line.verdict),
               line.false_alarm ? paint("FALSE ALARM: " + line.twin, Colour::bad, screen) : line.twin});
  }
  if (!table.empty()) std::fputs(table.text(screen).c_str(), stdout);
  for (const auto& line : lines)
    if (line.state == State::not_here)
      fmt::print("{} cannot be shown here: {}.\n",
                 line.row.empty() ? "the guard " + line.guard : "row " + line.row + " (" + line.title + ")", line.text);
  for (const auto& line : lines) {
    if (line.state == State::missed || line.state == State::held_back)
      fmt::print("{} {}: {} {}\n", name_of(line.state), line.specimen, printable(line.verdict),
                 printable_lines(line.text));
    if (line.false_alarm)
      fmt::print("FALSE ALARM, the honest twin of {}: {} {}\n", line.specimen, line.twin,
                 printable_lines(line.twin_text));
  }
}

int list_guards(const core::DeviceInfo& info, const SelftestOptions& options) {
  const auto guards = judge::guard_lines(info);
  if (options.json) {
    json list = json::array();
    for (const auto& guard : guards)
      list.push_back({{"name", guard.name},
                      {"rows", guard.rows},
                      {"depth", guard.depth},
                      {"what", guard.what},
                      {"specimens", guard.specimens},
                      {"reason", guard.reason}});
    std::fputs(json_text(list).c_str(), stdout);
    return 0;
  }
  Table table({{"guard"}, {"rows"}, {"depth"}, {"what it does"}, {"shown by"}});
  for (const auto& guard : guards)
    table.add({guard.name, guard.rows, guard.depth, guard.what,
               guard.specimens.empty() ? "not here: " + guard.reason : guard.specimens});
  std::fputs(table.text(screen_of(stdout)).c_str(), stdout);
  return 0;
}

}  // namespace

int selftest(const SelftestOptions& options) {
  const core::DeviceInfo info = device::find_device(options.device);
  if (options.guards) return list_guards(info, options);
  if (!options.cheats)
    base::fail(base::ExitCode::usage,
               "say what to test: --cheats judges the shipped specimens of cheating, --guards lists the guards");
  Progress progress(options.json);
  judge::SelftestOptions testing;
  testing.without = options.without;
  testing.only_row = options.only_row;
  testing.kind = options.kind;
  testing.unsafe = options.unsafe;
  testing.progress = [&](const std::string& text) { progress.say(text); };
  const auto lines = judge::selftest(info, testing);
  progress.say("");
  int bad = 0, shown = 0;
  for (const auto& line : lines) {
    bad += line.good() ? 0 : 1;
    shown += line.state == State::not_here ? 0 : 1;
  }
  if (options.json) {
    json list = json::array();
    for (const auto& line : lines) list.push_back(to_json(line));
    std::fputs(
        json_text({{"device", to_json(info)}, {"without", options.without}, {"bad", bad}, {"lines", list}}).c_str(),
        stdout);
  } else {
    print_lines(lines, screen_of(stdout));
    fmt::print("{} specimens on {} {}: {}\n", shown, info.id, printable(info.name),
               bad == 0 ? "all as they should be" : fmt::format("{} NOT as they should be", bad));
  }
  return static_cast<int>(bad == 0 ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
