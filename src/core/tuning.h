#pragma once
// What the search of a candidate's [tune] table came to inside a run. Where the best point beat the
// defaults side by side, the source with that point as its defaults becomes the node's, so that
// whatever follows (comparing, certifying, children) needs no point.
#include <string>

#include "base/fields_fwd.h"
#include "core/plan.h"
#include "core/stats.h"

namespace hone::core {

struct Tuning {
  int points = 0;  // that were measured, without the default
  int failed = 0;  // of them: neither accepted nor stopped early
  double before = 0;  // seconds as screened, with the defaults as they were written
  double after = 0;   // with those that the node has now
  Point point;        // the new defaults; empty: those that were written stand
  std::string candidate;  // hash of the source with them; "": the source stays as it was written
  std::string comparison;  // of the two, its id in the archive
  double ratio = 1;        // time with the new defaults over that with the old ones, side by side
  Interval interval{1, 1};  // 99 %
  std::string ended;        // why no more points were tried, and what became of the best

  bool changed() const { return !point.empty(); }
};
void describe(base::Fields& fields, Tuning& tuning);

}  // namespace hone::core
