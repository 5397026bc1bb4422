#pragma once
// `hone show ID` of a profile.
#include "cli/show.h"
#include "store/profiles.h"

namespace hone::cli {

void show_profile(const store::ProfileRecord& record, const ShowOptions& options, std::ostream& out,
                  const text::Screen& screen);

}  // namespace hone::cli
