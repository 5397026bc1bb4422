#pragma once
// Findings for people: a list, and one in full. What a finding says came from a model or a
// document, so it is printed with its control characters made visible. Pure.
#include <string>
#include <vector>

#include "store/findings.h"
#include "text/format.h"

namespace hone::text {

// Without any, how to come by some.
std::string findings_text(const std::vector<store::Finding>& findings, const Screen& screen);
std::string finding_text(const store::Finding& finding, const Screen& screen);

}  // namespace hone::text
