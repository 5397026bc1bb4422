#pragma once
// From a file or a text to a candidate: readable text of a sane size, with a plan that parses.
// Failures are diagnostics, never exceptions.
#include <filesystem>
#include <string>

#include "base/result.h"
#include "core/candidate.h"
#include "task/complaints.h"

namespace hone::task {

constexpr std::uint64_t largest_source =
    1u << 20;  // bytes; the largest hand-written kernels have a tenth of it

// The language by the extension: .cu, .cl, .py, .fake. An external candidate has no extension of
// its own: candidate_from() is told that it is one. It has no plan, nor has one in Python.
base::Result<core::Candidate, Diagnostics> load_candidate(const std::filesystem::path& path);
base::Result<core::Candidate, Diagnostics> candidate_from(std::string source,
                                                          core::Language language,
                                                          const std::string& name);
std::string hash_of(std::string_view source,
                    core::Language language);  // of a candidate: Candidate::hash

// The text of a source file; a complaint (at no line) if it is missing, not a file, too large,
// empty, binary or not UTF-8.
base::Result<std::string, Diagnostics> read_source(const std::filesystem::path& path,
                                                   std::uint64_t limit = largest_source);

// All diagnostics as text, each with its line and a caret; the files they name are read again for
// that.
std::string render_with_sources(const Diagnostics& diagnostics);

}  // namespace hone::task
