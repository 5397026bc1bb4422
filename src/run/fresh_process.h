#pragma once
// This very program started again with other words: a process that knows nothing of what this one
// has seen.
#include <functional>
#include <string>
#include <vector>

namespace hone::run {

struct Finished {
  int code = 0;  // 128 + the signal's number where one ended it
  std::string out, err;
};
// In a process group of its own, so that a terminal's Ctrl-C does not reach it: it is ended when
// `cancelled` says so. `input` is its standard input. Throws Error where it cannot be started.
Finished run_hone(std::vector<std::string> words, const std::function<bool()>& cancelled,
                  const std::string& input = "");

}  // namespace hone::run
