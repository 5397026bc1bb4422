#pragma once
// The part of `hone show` that is about a candidate: its relations, its evaluations, its plan and its source.
#include "cli/show.h"

namespace hone::cli {

void show_candidate(store::Archive& archive, const std::string& hash, const ShowOptions& options, std::ostream& out,
                    const text::Screen& screen);

}  // namespace hone::cli
