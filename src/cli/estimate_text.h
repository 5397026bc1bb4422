#pragma once
// What a run would cost, as text.
#include <string>

#include "app/estimate.h"

namespace hone::cli {

std::string estimate_text(const app::RunEstimate& estimate);

}  // namespace hone::cli
