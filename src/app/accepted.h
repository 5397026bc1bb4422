#pragma once
// A candidate's time counts only if `hone eval` would accept the candidate: its verdict is taken
// from the archive where the very same evaluation, or a certifying one, was accepted before, and
// made (and recorded) now elsewhere. A refusal by a certifying evaluation stands
// (store/standing.h): an earlier screening does not count any more.
#include <optional>

#include "base/error.h"
#include "judge/judge.h"
#include "store/archive.h"

namespace hone::app {

struct Accepted {
  judge::Judge& judge;
  std::optional<store::Archive>& archive;
  judge::EvaluateOptions options;
  std::optional<base::Error>
      not_recorded;  // a verdict that cannot be recorded is told all the same

  core::Evaluation operator()(const core::Candidate& candidate);
  bool made_now = false;  // whether the last one was, instead of being taken from the archive

  template <typename Recording>
  void record(const Recording& recording) {
    try {
      if (archive && !not_recorded) recording();
    } catch (const base::Error& error) {
      not_recorded = error;
    }
  }
};

}  // namespace hone::app
