#pragma once
// A program of the toolkit (a disassembler) over something a candidate made, in a sandbox of its own: such programs are
// written for files that compilers wrote, not for files that mean harm.
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::runner {

struct Inspection {
  std::string program;             // its path
  std::vector<std::string> words;  // "{}" stands for the file that holds `contents`
  std::string contents;
  double seconds = 20;
};

// What it printed on stdout; or what went wrong, in words. Throws Error where no process can be started.
base::Result<std::string> inspect(const Inspection& inspection);

}  // namespace hone::runner
