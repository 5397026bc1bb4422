#pragma once
// A task and a device in words, for prompts: all that a writer has to know to be right, and how far
// there is to go.
#include <string>

#include "agents/prompts.h"

namespace hone::agents {

std::string task_text(const Mission& mission);  // tensors, scalars, tolerance, work, cases
std::string reference_text(
    const Mission& mission);  // the C++ reference, fenced; "" where there is none
std::string device_text(const Mission& mission);  // facts and measured ceilings
std::string targets_text(
    const Mission& mission);  // timed cases: work, and the time it takes at the ceilings
std::string seconds_text(double seconds);  // "43.1 µs"
std::string language_tag(
    const Mission& mission);  // of a fenced block: "cuda", "opencl", "python", "text"

}  // namespace hone::agents
