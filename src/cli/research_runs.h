#pragma once
// `hone runs RUN`: one run of the scientist, its members and what it has spent.
#include <iosfwd>

#include "report/story.h"
#include "text/format.h"

namespace hone::cli {

void print_research_run(const report::Story& story, bool json, std::ostream& out, const text::Screen& screen);

}  // namespace hone::cli
