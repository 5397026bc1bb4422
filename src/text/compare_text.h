#pragma once
// The result of a comparison for a person: in a sentence or two, and whole. It never says more than
// the rule did (judge/compare_rule.h). Pure.
#include <string>
#include <string_view>

#include "judge/compare.h"
#include "text/table.h"

namespace hone::text {

// `a` and `b`: what the two are called. "B is faster than A", "cannot tell whether B is faster than
// A (...)", with what may tell.
std::string comparison_sentence(std::string_view a, std::string_view b, core::Comparison word);
std::string comparison_text(const std::string& a, const std::string& b,
                            const judge::ComparisonResult& result, const Screen& screen);
// The same with a line for each case, what it took, and the rule by which it stopped. Of two that
// could not be compared: why, with the whole verdict on a side that was refused.
std::string comparison_report(const std::string& a, const std::string& b,
                              const judge::ComparisonResult& result, const core::DeviceInfo& device,
                              const Screen& screen);

}  // namespace hone::text
