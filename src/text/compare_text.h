#pragma once
// The result of a comparison in a sentence or two.
#include <string>

#include "judge/compare.h"
#include "text/table.h"

namespace hone::text {

// `a` and `b`: what the two are called.
std::string comparison_text(const std::string& a, const std::string& b, const judge::ComparisonResult& result,
                            const Screen& screen);

}  // namespace hone::text
