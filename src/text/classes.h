#pragma once
// What an evaluation's metrics and labels say of its precision, in words. All of it is in the
// evaluation, so one from the archive reads the same. Pure functions.
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "text/format.h"

namespace hone::text {

// The value of a metric, where the evaluation has it.
std::optional<double> metric_value(const core::Evaluation& evaluation, const std::string& tag);
// "errors as in fp32; tensor cores: tf32": by what its errors are no worse than, and by the means
// that were seen.
std::string precision_used(const core::Evaluation& evaluation);
// What would pass the problem's own check without computing, as the evaluation's labels have it.
std::vector<std::string> weak_of(const core::Evaluation& evaluation);

// The classes of precision as lines for people; "" where there are none.
std::string classes_text(const core::Evaluation& evaluation, const Screen& screen);

}  // namespace hone::text
