#pragma once
// Calls of which nothing can be known but what the device did: of candidates in Python, which have
// no plan, and of plans with operations of torch's. The kernels of a Python candidate become
// launches in the order of their first appearance, one for each name, so that tools and prompts can
// speak of them. It could forge the records: they are told, and decide nothing.
#include <string_view>

#include "device/device.h"
#include "profile/profile.h"

namespace hone::profile {

// Kernels, copies and fills of one recorded call: metrics system.*, and for each kernel
// call.kernel.NAME (seconds), call.library (1: torch's or a vendor's) and launch.repeats; a note
// with their order.
Collected recorded_call(std::vector<device::Activity> activities, double wall);

// The same of a plan with operations, whose launches keep their places.
Collected recorded_plan(const std::vector<device::Activity>& activities,
                        const core::ResolvedPlan& plan, double wall);

// One call of the candidate, recorded where the device has records, beside what the judge has found
// of the case.
Collected collect_recorded(judge::Judge& judge, judge::Ready& ready, const core::Case& which,
                           const core::ResolvedPlan& plan);

// What the evaluation knows of the case: clocks, shares, errors, the first call, the fraction of
// the ceiling.
Collected from_evaluation(const core::Evaluation& evaluation, const std::string& case_name);

// The kernels of such metrics as launches, each as often as it ran.
std::vector<core::ResolvedLaunch> launches_in(const std::vector<core::Metric>& metrics);

// The kernels with their shares, for a sentence; "": none are known.
std::string kernels_text(const Facts& facts);

bool only_recorded(const core::Candidate& candidate);
bool only_recorded(const Facts& facts);
// A kernel of a library that only passes over memory (elementwise, reductions, copies), by its
// name.
bool only_passes(std::string_view name);

}  // namespace hone::profile
