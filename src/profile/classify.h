#pragma once
// Stage one of explaining: memory, compute, latency, launch or mixed, by theory (the task's counts
// and the device's ceilings) and by measurement (counters); where they disagree, that is said.
// Pure.
#include "profile/facts.h"

namespace hone::profile {

// `facts.diagnosis` is not read. Metrics that are not there are done without, and said.
core::Diagnosis classify(const Facts& facts);

}  // namespace hone::profile
