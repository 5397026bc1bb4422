#pragma once
// This very program started again with other words: a process that knows nothing of what this one has seen.
#include <string>
#include <vector>

namespace hone::run {

struct Finished {
  int code = 0;  // 128 + the signal's number where one ended it
  std::string out, err;
};
Finished run_hone(std::vector<std::string> words);  // throws Error where it cannot be started

}  // namespace hone::run
