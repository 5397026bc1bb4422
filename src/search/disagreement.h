#pragma once
// Where two designs of one node contradict each other: experiments that make the same change (they
// cite the same advice, or say the same), one of them not begun, with predictions that exclude each
// other. A probe is then worth more than a candidate. Pure functions.
#include <optional>

#include "search/bases.h"

namespace hone::search {

struct Disagreement {
  core::IntentId one = 0, other = 0;
};
// Nothing: designers agree, or a probe was run on the node since its second design.
std::optional<Disagreement> disagreement_on(const core::Tree& tree, const Basis& basis);

}  // namespace hone::search
