#pragma once
// `hone profile`: measures a candidate in every way this machine allows, and explains. Runs beside
// the judge: its runners have their own memory, and nothing measured here is ever a verdict's time.
#include "judge/load.h"
#include "profile/tool.h"

namespace hone::profile {

struct ProfileOptions {
  std::string case_name;  // "": the timed case that takes longest
  core::Point point;
  bool source = true;   // line-level sampling, which costs seconds
  bool energy = false;  // windows of five seconds and more
  bool sanitize = false;
  std::vector<std::string> programs;           // tools of the user's
  std::map<std::string, TrackRecord> records;  // what became of earlier advice
  std::optional<core::Evaluation> evaluation;  // known already
  bool timed_just_now =
      false;  // that evaluation's times are of this minute: the case is not timed again
};

// The candidate must be one that the judge accepts; an evaluation that is not accepted comes back
// as its Evidence.
base::Result<core::Profile, core::Evaluation> profile(judge::Judge& judge,
                                                      const core::Candidate& candidate,
                                                      const ProfileOptions& options);

// What a collector (ncu.h, sass.h, energy.h, ...) found: metrics, with and without values, and
// notes.
struct Collected {
  std::vector<core::Metric> metrics;
  std::vector<std::string> notes;
};

}  // namespace hone::profile
