#pragma once
// Where a command works: what many requests have in common. A front end fills it from what the user
// typed, and nothing here reads an option or the environment. Plain data.
#include <string>

namespace hone::app {

struct CommonOptions {
  std::string device;   // "cuda:0"; "": the best one here
  std::string archive;  // its file; "": the one in the home folder
  bool unsafe = false;  // native code runs even where no sandbox can be had
};

// How long one call of a candidate may take.
struct CallLimit {
  double seconds = 20;
  bool first_too =
      false;  // it holds for the first call of a candidate in Python too, which may compile
};

}  // namespace hone::app
