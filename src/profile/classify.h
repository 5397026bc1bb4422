#pragma once
// Stage one: memory, compute, latency, launch or mixed, by theory and by measurement.
#include "profile/facts.h"

namespace hone::profile {

// `facts.diagnosis` is not read. Metrics that are not there are done without, and said.
core::Diagnosis classify(const Facts& facts);

}  // namespace hone::profile
