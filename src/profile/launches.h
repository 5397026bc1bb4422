#pragma once
// The launches of a call, each once, with its share of the time in kernels.
#include <string>
#include <vector>

#include "profile/facts.h"

namespace hone::profile {

struct LaunchShare {
  int index = 0;  // of the [[launch]]
  std::string kernel;
  double repeats = 1;  // times it runs in a call
  double share = 1;    // of the call's kernel time; they add up to 1
  bool timed =
      true;  // false: the time of every launch is not known, and each run of one has an equal part
};
std::vector<LaunchShare> launches_of(const Facts& facts);

// The same facts, seen from one launch.
Facts seen_from(const Facts& facts, const LaunchShare& launch);

}  // namespace hone::profile
