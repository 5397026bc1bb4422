#pragma once
// `hone runs`: what tuning and research have come to, newest first: where each run started, the best it found, how much
// faster that is and how sure, how far from the ceiling.
#include <iosfwd>

#include "store/archive.h"
#include "text/format.h"

namespace hone::cli {

void print_runs(store::Archive& archive, int limit, bool json, std::ostream& out, const text::Screen& screen);
void print_tuning_run(store::Archive& archive, const std::string& id, bool json, std::ostream& out,
                      const text::Screen& screen);

}  // namespace hone::cli
