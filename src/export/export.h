#pragma once
// The module that turns a candidate into files for use without Hone: a C++ project in the
// candidate's own language (header, source with the kernels and a plain host launcher, example,
// Makefile), a function over tensors for torch, a project for Hugging Face's kernel-builder, or one
// Python file for the evaluator of KernelBench or GPU MODE. The plan's expressions become code over
// the symbols of the case, which are the function's arguments; `when` decides at run time. Nothing
// is written here: the caller gets texts. Functions without state; any thread.
#include <cstdint>
#include <string>
#include <vector>

#include "core/candidate.h"

namespace hone::exports {

struct ExportedFile {
  std::string name, text;
  std::vector<std::string> notes;  // what its user should know, as sentences
};

// own: C++ in the candidate's own language. kernelbench, gpumode: Python for that evaluator. torch:
// a function over tensors. hub: a project for Hugging Face's kernel-builder.
enum class ExportFormat : std::uint8_t { own, kernelbench, gpumode, torch, hub };

// Throws Error where the plan does not fit the task, or there is no such export of the language.
std::vector<ExportedFile> export_candidate(const core::Task& task, const core::Candidate& candidate,
                                           const core::Point& point,
                                           ExportFormat format = ExportFormat::own);
// A Python candidate (the text of a file of that name) for an official evaluator: its own text,
// with the light loader in place of its import.
std::vector<ExportedFile> export_python_text(const std::string& name, const std::string& text,
                                             ExportFormat format);

// A Python candidate for callers of torch; the task was made of a function, which says how it is
// called.
std::vector<ExportedFile> export_python_as_torch(const core::Task& task,
                                                 const core::Candidate& candidate);

}  // namespace hone::exports
