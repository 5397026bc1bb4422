#pragma once
// One immutable source and its plan, known by the hash of its content.
#include <cstdint>
#include <string>

#include "core/plan.h"

namespace hone::core {

enum class Language : std::uint8_t { cuda, opencl, fake };

struct Candidate {
  std::string source;
  Language language = Language::opencl;
  Plan plan;
  std::string hash;  // sha256 of language and source
  std::string name;  // file name, for people
};

std::string_view name_of(Language language);  // "cuda", "opencl", "fake"

}  // namespace hone::core
