#pragma once
// The vendor's checkers (compute-sanitizer's) on a runner of their own, with exact-size memory. Where there are none,
// the evaluation says so. A checker starts slowly: the device is taken only once it is there, so the caller must not
// hold it.
#include <string>
#include <vector>

#include "judge/load.h"

namespace hone::judge {

// memcheck: accesses out of bounds; racecheck: races in shared memory; synccheck: barriers that not all threads reach;
// initcheck: reads of scratch that was never written.
inline const std::vector<std::string> verdict_checkers = {"memcheck", "racecheck"};
inline const std::vector<std::string> all_checkers = {"memcheck", "racecheck", "synccheck", "initcheck"};

// On the smallest of the cases. The first checker that finds something convicts, and with `go_on` the others still run.
void sanitize(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases, core::Evaluation& evaluation,
              const std::vector<std::string>& checkers = verdict_checkers, bool go_on = false);

// What a checker's log says is wrong, in its own words; "" if nothing.
std::string sanitizer_errors(const std::string& log);

}  // namespace hone::judge
