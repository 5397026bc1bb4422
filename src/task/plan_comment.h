#pragma once
// Finds the plan in a source: the comment that opens with "hone 1" must be the first comment of the
// file. Pure.
#include <optional>
#include <string>
#include <string_view>

#include "task/complaints.h"

namespace hone::task {

// What a plan is, for messages about one that is missing.
inline constexpr std::string_view plan_form =
    "a candidate opens with a comment whose first line is \"/* hone 1\" and which holds its launch "
    "plan (docs/formats.md)";

struct PlanComment {
  // Between the comment's first line and its end; points into the source.
  std::string_view toml;
  int lines_before = 0;            // lines of the file that precede it
  std::size_t begin = 0, end = 0;  // the whole comment, as offsets into the source
};

// Whether some comment opens with the word hone, and not only with its letters ("honest"). Whether
// that is a plan which can be read, and stands first, find_plan() says.
bool has_plan(std::string_view source);

// Nothing if there is none that can be read: `complaints` says why.
std::optional<PlanComment> find_plan(std::string_view source, Complaints& complaints);

// The plan's comment and the rest of the source; "" and the whole source where there is no plan
// that can be read.
struct SourceParts {
  std::string plan, code;
};
SourceParts source_parts(const std::string& source);

}  // namespace hone::task
