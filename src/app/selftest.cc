#include "app/selftest.h"

#include <fmt/format.h>

#include "app/inputs.h"
#include "base/fields.h"
#include "device/device.h"

namespace hone::app {
namespace {

Step step_of(const judge::SelftestProgress& progress) {
  return {fmt::format("{} of {}: {}", progress.number, progress.all, progress.specimen),
          static_cast<double>(progress.number - 1) / static_cast<double>(progress.all),
          progress.seconds_left};
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

void describe(base::Fields& f, const SelftestResult& result) {
  f("device", result.device)("without", result.without)("bad", result.bad);
  f("undecided", result.undecided)("lines", result.lines);
}

GuardList list_guards(const CommonOptions& place) {
  return {judge::guard_lines(device::find_device(place.device))};
}

void describe(base::Fields& f, const GuardList& list) { f.value(list.guards); }

}  // namespace hone::app
