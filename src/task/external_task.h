#pragma once
// A task for an evaluator outside Hone: a statement in words, cases by name, seeds as opaque texts.
// A part of the task loader. The format is in docs/models.md.
#include <filesystem>
#include <string>

#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

// Whether a task.toml says kind = "external". A malformed one does not.
bool is_external(std::string_view toml);

// Fills the task, its hash included; the statement and the seeds are read from the folder. What is
// wrong comes back.
Diagnostics load_external(std::string_view toml, const std::filesystem::path& folder,
                          core::Task& task);

}  // namespace hone::task
