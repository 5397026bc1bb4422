#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/device_json.h"
#include "core/json.h"
#include "device/device.h"
#include "judge/selftest.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
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
    case State::undecided:
      return "undecided";
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
          {"undecided", line.undecided()},
          {"outside_delay", line.undecided() ? json(line.outside_delay) : json()},
          {"good", line.good()}};
}

// What was measured, beside the word.
std::string busy_text(const SelftestLine& line) {
  return fmt::format("undecided: this machine is busy, {:.0f} % of the time of its calls", 100 * line.outside_delay);
}

std::string state_text(const SelftestLine& line, const Screen& screen) {
  if (line.state == State::undecided) return busy_text(line);
  const bool good = line.state == State::caught || line.state == State::through;
  return paint(name_of(line.state), good ? Colour::good : Colour::bad, screen);
}

std::string twin_text(const SelftestLine& line, const Screen& screen) {
  if (line.false_alarm) return paint("FALSE ALARM: " + line.twin, Colour::bad, screen);
  return line.twin_undecided ? fmt::format("{} ({})", busy_text(line), line.twin) : line.twin;
}

void print_lines(const std::vector<SelftestLine>& lines, const Screen& screen) {
  Table table({{"row"}, {"specimen"}, {"what it does"}, {"guard"}, {"on"}, {""}, {"verdict"}, {"twin"}});
  for (const auto& line : lines) {
    if (line.state == State::not_here) continue;
    table.add({line.row, line.specimen, line.title, line.guard.empty() ? "(structural)" : line.guard, line.device,
               state_text(line, screen), printable(line.verdict), twin_text(line, screen)});
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

struct Summary {
  int shown = 0, bad = 0, undecided = 0;
};

std::string text_of(const Summary& sum) {
  std::string text = sum.bad > 0         ? fmt::format("{} NOT as they should be", sum.bad)
                     : sum.undecided > 0 ? "the others as they should be"
                                         : "all as they should be";
  if (sum.undecided == 0) return text;
  return fmt::format("{} undecided, because other programs kept this machine busy (try again when it is idle), {}",
                     sum.undecided, text);
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
    std::fputs(core::json_text(list).c_str(), stdout);
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
  testing.no_clock = options.no_clock;
  testing.unsafe = options.unsafe;
  testing.progress = [&](const std::string& text) { progress.step({text, {}, {}}); };
  const auto lines = judge::selftest(info, testing);
  progress.step({});
  Summary sum;
  for (const auto& line : lines) {
    sum.bad += line.good() ? 0 : 1;
    sum.undecided += line.good() && line.undecided() ? 1 : 0;
    sum.shown += line.state == State::not_here ? 0 : 1;
  }
  if (options.json) {
    json list = json::array();
    for (const auto& line : lines) list.push_back(to_json(line));
    std::fputs(core::json_text({{"device", to_json(info)},
                                {"without", options.without},
                                {"bad", sum.bad},
                                {"undecided", sum.undecided},
                                {"lines", list}})
                   .c_str(),
               stdout);
  } else {
    print_lines(lines, screen_of(stdout));
    fmt::print("{} specimens on {} {}: {}\n", sum.shown, info.id, printable(info.name), text_of(sum));
  }
  return static_cast<int>(sum.bad > 0         ? base::ExitCode::not_accepted
                          : sum.undecided > 0 ? base::ExitCode::undecided
                                              : base::ExitCode::ok);
}

}  // namespace hone::cli
