#pragma once
// How a task calls a candidate in Python, in words, from its interface.json (docs/python.md).
// Pure.
#include <string>

#include "agents/template.h"
#include "core/task.h"

namespace hone::agents {

// "ModelNew" or "custom_kernel". The task must have an interface, which was read when it was
// loaded.
std::string python_entry(const core::Task& task);
// Constructor, arguments, parameters and what can be imported, for prompts of writers: the text
// "call".
void add_python_call(const core::Task& task, Values& values);

}  // namespace hone::agents
