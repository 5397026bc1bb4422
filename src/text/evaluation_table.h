#pragma once
// Evaluations of the archive as a table, one line each: used by every command that lists
// evaluations.
#include <string>
#include <vector>

#include "store/evaluations.h"
#include "text/format.h"

namespace hone::text {

std::string evaluation_table(const std::vector<store::EvaluationLine>& lines, const Screen& screen);

}  // namespace hone::text
