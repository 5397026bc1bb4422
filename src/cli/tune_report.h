#pragma once
// A tuning run for a person and for a program: its progress in a line, its result as a report or as JSON.
#include <string>

#include "run/tune.h"
#include "text/format.h"

namespace hone::cli {

std::string status_line(const run::TuneStatus& status);
// "about 3 min left": of a search that has taken so many seconds, by what its points took so far; "" while too few are
// measured. `most_seconds`: that it may take at the most; 0: no limit.
std::string time_left(const run::TuneStatus& status, double seconds, double most_seconds);
std::string tune_report(const run::TuneResult& result, const core::Candidate& candidate, const core::DeviceInfo& info,
                        const text::Screen& screen);
std::string tune_json(const run::TuneResult& result, const core::Task& task, const core::Candidate& candidate,
                      const core::DeviceInfo& info);

}  // namespace hone::cli
