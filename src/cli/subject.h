#pragma once
// For `hone recheck`, as long as it is no function of app/.
#include "app/named_candidate.h"

namespace hone::cli {

using Subject = app::NamedCandidate;

inline Subject subject_from(store::Archive& archive, const std::string& text) {
  return app::candidate_named(archive, text);
}

}  // namespace hone::cli
