#pragma once
// `hone show ID`: everything the archive knows of one candidate, evaluation or profile.
#include <iosfwd>
#include <string>

#include "store/archive.h"
#include "text/format.h"

namespace hone::cli {

struct ShowOptions {
  std::string
      id;  // of a candidate, an evaluation or a profile, or the beginning of one; RUN:00012, or a run for its best
  int limit = 20;  // of evaluations, children and comparisons
  bool json = false;
};
void print_show(store::Archive& archive, const ShowOptions& options, std::ostream& out, const text::Screen& screen);

}  // namespace hone::cli
