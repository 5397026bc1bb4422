#pragma once
// What the judge's self-test found, for people: specimens that came through, honest twins that did
// not, and what a busy machine left undecided. Pure.
#include <string>
#include <vector>

#include "judge/selftest.h"
#include "text/format.h"

namespace hone::text {

// A table of the specimens; then what cannot be shown here, and the evidence of everything that is
// not as it should be.
std::string selftest_text(const std::vector<judge::SelftestLine>& lines, const Screen& screen);
std::string guards_text(const std::vector<judge::GuardLine>& guards, const Screen& screen);

}  // namespace hone::text
