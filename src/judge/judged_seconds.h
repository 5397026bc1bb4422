#pragma once
// A call's seconds where the judge's clock decides them: on a CPU, and for candidates in Python
// wherever they run. What a call costs by itself is taken off, as far as it was measured; on a CPU
// that is nothing. Device code on a GPU is timed by the device's events instead. Pure.
#include "judge/call.h"
#include "judge/python/cost.h"

namespace hone::judge {

// A call's time by the judge's clock, or that of each of a batch, without what they cost by
// themselves. What goes on on the device after the answer counts: the judge waits for it when it
// reads the results.
double judged_seconds(const PythonCost& cost, const CallResult& called, std::size_t calls);
double late_seconds(const PythonCost& cost, const CallResult& called);  // that part of them
// What preparing the calls took beyond what it takes a worker that runs no candidate, which counts
// as well: the candidate's process knows the memory of its calls then, and could queue, capture or
// warm up something for them.
double early_seconds(const PythonCost& cost, const CallResult& called, std::size_t calls);

}  // namespace hone::judge
