#pragma once
// `hone compare`: is one candidate faster than another, and how sure is that? Only what `hone eval`
// accepts is compared, see app/accepted.h.
#include <optional>
#include <string>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/error.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/compare.h"

namespace hone::app {

struct CompareRequest : CommonOptions {
  std::string task;
  std::string a, b;       // files; b is the candidate in question
  std::string case_name;  // only this case; "": all
  core::Depth depth = core::Depth::screen;
  double margin = 0;   // differences within this fraction count as none; 0: the device's
  double seconds = 0;  // for the rounds, at the most; 0: the device's
  bool record = true;
};

struct CompareResult {
  core::DeviceInfo device;
  judge::ComparisonResult comparison;
  std::string id;                           // in the archive; "": it is not recorded
  std::optional<base::Error> not_recorded;  // a result that cannot be recorded is told all the same
};

CompareResult compare(const CompareRequest& request, Sink& sink);

void describe(base::Fields& fields, const CompareResult& result);

}  // namespace hone::app
