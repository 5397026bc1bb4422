#pragma once
// Text of a task.toml that is written from what a Python process said.
#include <algorithm>
#include <string>

#include "base/json.h"

namespace hone::adapters {

// A string of TOML. The process runs a stranger's Python: what is not printable becomes a space.
inline std::string toml_string(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, ' ');
  return base::json_line(text);
}

}  // namespace hone::adapters
