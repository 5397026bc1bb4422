#pragma once
// What both sides of a bundle must agree on: the kinds of files, which of a task's files travel,
// and how a file of results begins. A part of run/bundle.h. Pure.
#include <string>

#include "exec/records.h"

namespace hone::run {

inline constexpr const char* bundle_kind = "bundle";
inline constexpr const char* results_kind = "results";
// What decides a verdict, and nothing else of a task's folder.
inline constexpr const char* task_files[] = {"task.toml",      "reference.cc", "reference.py",
                                             "interface.json", "problem.json", "reference.cu",
                                             "reference.cl"};

// The first record of a file of results, and the bundle's id in one; "" if it is none.
exec::BundleRecord head_for(const std::string& bundle);
std::string bundle_of(const exec::BundleRecord& head);

}  // namespace hone::run
