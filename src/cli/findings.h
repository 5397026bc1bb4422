#pragma once
// `hone findings`: what was learned, as a list and one by one.
#include <iosfwd>
#include <vector>

#include "cli/format.h"
#include "store/findings.h"

namespace hone::cli {

void print_findings(const std::vector<store::Finding>& found, bool json, std::ostream& out, const Screen& screen);
void print_finding(const store::Finding& finding, bool json, std::ostream& out, const Screen& screen);

}  // namespace hone::cli
