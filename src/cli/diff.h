#pragma once
// `hone diff A B`: what differs between two candidates, and what each of them takes.
#include <iosfwd>

#include "cli/subject.h"
#include "text/format.h"

namespace hone::cli {

void print_diff(store::Archive& archive, const Subject& a, const Subject& b, bool json, std::ostream& out,
                const text::Screen& screen);
// A unified diff with the colours that everybody knows.
std::string paint_diff(const std::string& diff, const text::Screen& screen);

}  // namespace hone::cli
