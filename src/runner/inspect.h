#pragma once
// Runs a program of the toolkit (a disassembler) on a file that a candidate made, in a sandbox of
// its own: such programs expect files that compilers wrote, and a hostile file may exploit them. A
// function without state; any thread.
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::runner {

struct Inspection {
  std::string program;                 // its path
  std::vector<std::string> arguments;  // "{}" in them stands for the file that holds `contents`
  std::string contents;
  double seconds = 20;
};

// What it printed on stdout, or what went wrong. Throws Error where no process can be started.
base::Result<std::string> inspect(const Inspection& inspection);

}  // namespace hone::runner
