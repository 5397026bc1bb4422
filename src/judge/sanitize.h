#pragma once
// The vendor's checkers (compute-sanitizer's) on runners of their own, with exact-size memory.
// Where there are none, the evaluation says so. A checker starts slowly: all are started at once,
// and the device is taken only when they are there, so the caller must not hold it. memcheck and
// synccheck convict. What racecheck reports is a label: it does not model named barriers,
// mbarriers, clusters and asynchronous copies. A differing result convicts (witness.h), which is
// looked for where racecheck reports something, and shortly where it cannot see.
#include <future>
#include <string>
#include <vector>

#include "judge/checker_log.h"
#include "judge/load.h"
#include "judge/witness.h"

namespace hone::judge {

// memcheck: accesses out of bounds; racecheck: races in shared memory; synccheck: barriers that not
// all threads reach; initcheck: reads of scratch that was never written.
inline const std::vector<std::string> verdict_checkers = {"memcheck", "racecheck"};
inline const std::vector<std::string> all_checkers = {"memcheck", "racecheck", "synccheck",
                                                      "initcheck"};

// On the smallest of the cases. The first checker that finds something convicts, and with `go_on`
// the others still run.
void sanitize(Judge& judge, const Ready& ready, const std::vector<const core::Case*>& cases,
              core::Evaluation& evaluation,
              const std::vector<std::string>& checkers = verdict_checkers, bool go_on = false);

// racecheck and what follows from it, for an accepted candidate that comes near the incumbent: its
// report is known before a run is over, and what convicts ends the candidate's part in it. Nothing
// where there is no racecheck.
void check_races(Judge& judge, const core::Candidate& candidate, const EvaluateOptions& options,
                 core::Evaluation& evaluation);

// Builds what the checkers and the search for a witness will load, on other cores: they find it in
// the cache. Invalid where there are no checkers. The judge must outlive it.
std::future<void> build_ahead(const Judge& judge, const core::Candidate& candidate,
                              const core::Point& point);

// Why there is no checker for this candidate here; "": there is.
std::string why_not_checked(const Judge& judge, const core::Candidate& candidate);

// A runner under a checker, and the candidate loaded in it with line information.
std::unique_ptr<runner::Runner> start_under(const std::string& tool, const Judge& judge);
base::Result<Ready, Finding> load_checked(Judge& judge, const core::Candidate& candidate,
                                          const core::Point& point,
                                          std::unique_ptr<runner::Runner> runner);

// One call under the checker that the candidate was loaded in; `failure`: what was said of the call
// itself.
struct Checked {
  CheckerReport report;
  std::string failure;
  double seconds = 0;  // that the device was held
};
base::Result<Checked, Finding> call_checked(Judge& judge, Ready& checked, const core::Case& which,
                                            double seconds);

// What racecheck's report comes to, with or without a witness: the label's text.
std::string race_label(const CheckerReport& report, const std::string& search,
                       const std::string& not_modelled);

}  // namespace hone::judge
