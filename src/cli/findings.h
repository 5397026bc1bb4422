#pragma once
// `hone findings`: what was learned, as a list and one by one.
#include <iosfwd>
#include <vector>

#include "store/findings.h"
#include "text/format.h"

namespace hone::cli {

void print_findings(const std::vector<store::Finding>& found, bool json, std::ostream& out, const text::Screen& screen);
void print_finding(const store::Finding& finding, bool json, std::ostream& out, const text::Screen& screen);

}  // namespace hone::cli
