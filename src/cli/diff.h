#pragma once
// `hone diff` as text.
#include <string>

#include "app/diff.h"
#include "text/format.h"

namespace hone::cli {

std::string diff_text(const app::DiffResult& result, const text::Screen& screen);

}  // namespace hone::cli
