#pragma once
// `hone tune`: the fastest point of a candidate's [tune] space, found, certified and written down
// as a candidate. A run that was cancelled or killed goes on when the same request comes again.
#include <optional>
#include <string>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "run/tune.h"

namespace hone::app {

struct TuneRequest : CommonOptions {
  std::string task, candidate;
  std::string case_name;  // only this case; "": all
  std::string out;        // where the result goes; "": CANDIDATE.tuned.EXT beside the candidate
  bool force = false;     // overwrite that file, whatever it holds
  std::size_t max_evals =
      0;  // points that may be tried, over all resumptions; 0: all where they are few, else 200
  double max_minutes = 0;  // of the search; 0: no limit
  std::uint64_t seed = 1;  // decides the order in which points are tried
  run::TuneOptions::Start start = run::TuneOptions::Start::resume_if_possible;
  CallLimit limit;
};

struct TuneResult {
  std::string task;  // its name
  core::Candidate candidate;
  core::DeviceInfo device;
  run::TuneResult tuning;
};

TuneResult tune(const TuneRequest& request, Sink& sink);
void describe(base::Fields& fields, const TuneResult& result);

// ---- How far a search is. Pure.
// "5/12 points; best 1.23 ms (1.50× the default) BLOCK=256; latest 2.00 ms BLOCK=64"
std::string status_line(const run::TuneStatus& status);
// Which part of its points is done, 0 to 1; nothing: it is not known how many there will be.
std::optional<double> part_done(const run::TuneStatus& status);
// Of a search that has taken so many seconds, by what its points took so far; nothing while too few
// are measured. `most_seconds`: that it may take; 0: no limit.
std::optional<double> seconds_left(const run::TuneStatus& status, double seconds,
                                   double most_seconds);

}  // namespace hone::app
