#pragma once
// `hone runs RUN`: one run of the scientist, its members and what it has spent.
#include <iosfwd>

#include "cli/format.h"
#include "run/story.h"

namespace hone::cli {

void print_research_run(const run::Story& story, bool json, std::ostream& out, const Screen& screen);

}  // namespace hone::cli
