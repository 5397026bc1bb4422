#pragma once
// Search/replace edits of a basis: found in an answer, and applied strictly. Every SEARCH names
// whole lines that stand in the basis exactly once; blanks at the ends of lines do not count,
// everything else does.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::agents {

struct Edit {
  std::vector<std::string_view> search, replace;  // lines; point into the answer
};
struct Edits {
  std::vector<Edit> edits;
  std::size_t begin = 0, end = 0;  // from the first marker to behind the last, in the answer
};

// No edits: the answer has none. The failure says which edit is malformed.
base::Result<Edits> edits_in(std::string_view answer);

// The failure says of each edit that did not fit whether it matched nowhere or several times, and
// shows the nearest place.
base::Result<std::string> edited(const std::vector<Edit>& edits, std::string_view basis);

}  // namespace hone::agents
