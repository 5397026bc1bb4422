#pragma once
// One immutable source and its plan, known by the hash of its content.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields_fwd.h"
#include "core/plan.h"

namespace hone::core {

// external: an opaque text for an external evaluator; it has no plan, and nothing here builds or
// runs it. python: a module with ModelNew or custom_kernel; its plan is empty, and it runs on any
// device that its torch has.
enum class Language : std::uint8_t { cuda, opencl, fake, external, python };

struct Candidate {
  std::string source;
  Language language = Language::opencl;
  Plan plan;
  std::string hash;  // sha256 of language and source
  std::string name;  // file name, for people
};

std::string_view name_of(Language language);  // "cuda", "opencl", "fake", "external", "python"
std::optional<Language> language_from(std::string_view name);
void describe(base::Fields& fields, Language& language);

}  // namespace hone::core
