#pragma once
// Findings for people: a list, and one in full.
#include <string>
#include <vector>

#include "store/findings.h"
#include "text/format.h"

namespace hone::text {

// Without any, how to come by some.
std::string findings_text(const std::vector<store::Finding>& findings, const Screen& screen);
std::string finding_text(const store::Finding& finding, const Screen& screen);

}  // namespace hone::text
