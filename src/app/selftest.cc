#include "app/selftest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/inputs.h"
#include "core/device_json.h"
#include "device/device.h"

namespace hone::app {
namespace {

using nlohmann::json;

Step step_of(const judge::SelftestProgress& progress) {
  return {fmt::format("{} of {}: {}", progress.number, progress.all, progress.specimen),
          static_cast<double>(progress.number - 1) / static_cast<double>(progress.all),
          progress.seconds_left};
}

json line_json(const judge::SelftestLine& line) {
  return {{"row", line.row},
          {"title", line.title},
          {"specimen", line.specimen},
          {"guard", line.guard},
          {"device", line.device},
          {"state", judge::name_of(line.state)},
          {"verdict", line.verdict},
          {"text", line.text},
          {"twin", line.twin},
          {"twin_text", line.twin_text},
          {"false_alarm", line.false_alarm},
          {"undecided", line.undecided()},
          {"outside_delay", line.undecided() ? json(line.outside_delay) : json()},
          {"good", line.good()}};
}

}  // namespace

SelftestResult selftest(const SelftestRequest& request, Sink& sink) {
  SelftestResult result{device::find_device(request.device), request.without, {}};
  judge::SelftestOptions options;
  options.without = request.without;
  options.only_row = request.only_row;
  options.kind = request.kind;
  options.no_clock = request.no_clock;
  options.unsafe = request.unsafe;
  options.progress = [&](const judge::SelftestProgress& progress) { sink.step(step_of(progress)); };
  options.cancelled = &sink.cancelled();
  result.lines = judge::selftest(result.device, options);
  require_wanted(sink);
  sink.step({});
  for (const auto& line : result.lines) {
    result.bad += line.good() ? 0 : 1;
    result.undecided += line.good() && line.undecided() ? 1 : 0;
    result.shown += line.state == judge::SelftestLine::State::not_here ? 0 : 1;
  }
  return result;
}

json to_json(const SelftestResult& result) {
  json lines = json::array();
  for (const auto& line : result.lines) lines.push_back(line_json(line));
  return {{"device", core::to_json(result.device)},
          {"without", result.without},
          {"bad", result.bad},
          {"undecided", result.undecided},
          {"lines", lines}};
}

GuardList list_guards(const CommonOptions& place) {
  return {judge::guard_lines(device::find_device(place.device))};
}

json to_json(const GuardList& list) {
  json guards = json::array();
  for (const auto& guard : list.guards)
    guards.push_back({{"name", guard.name},
                      {"rows", guard.rows},
                      {"depth", guard.depth},
                      {"what", guard.what},
                      {"specimens", guard.specimens},
                      {"reason", guard.reason}});
  return guards;
}

}  // namespace hone::app
