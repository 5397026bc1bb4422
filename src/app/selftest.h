#pragma once
// `hone selftest`: is the judge itself fooled by known ways of cheating? The specimens are judged
// on the device at hand, and the guards can be listed with the specimens that show each.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "judge/selftest.h"

namespace hone::app {

struct SelftestRequest : CommonOptions {
  std::string without;    // switch this guard off: its specimens must then come through
  std::string only_row;   // of docs/trust.md; "": all
  std::string kind;       // "device" or "python": only specimens of that kind
  bool no_clock = false;  // skip what only the clock can catch: for a busy machine
};

struct SelftestResult {
  core::DeviceInfo device;
  std::string without;  // as requested
  std::vector<judge::SelftestLine> lines;
  int shown = 0;      // lines with a specimen
  int bad = 0;        // not as they should be
  int undecided = 0;  // other programs kept the machine too busy to tell; none of the bad
};

SelftestResult selftest(const SelftestRequest& request, Sink& sink);
void describe(base::Fields& fields, const SelftestResult& result);

struct GuardList {
  std::vector<judge::GuardLine> guards;
};

// Which guards there are, and which specimens show each of them on the device.
GuardList list_guards(const CommonOptions& place);
void describe(base::Fields& fields, const GuardList& list);

}  // namespace hone::app
