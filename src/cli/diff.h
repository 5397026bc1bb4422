#pragma once
// `hone diff` as text: the difference of the sources, which evaluation each time is of, and the
// times case by case. Pure; the screen decides on colours and width.
#include <string>

#include "app/diff.h"
#include "text/format.h"

namespace hone::cli {

std::string diff_text(const app::DiffResult& result, const text::Screen& screen);

}  // namespace hone::cli
