#pragma once
// nvdisasm's text as instructions. The text is of hostile origin: whatever does not parse is passed
// over.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::profile {

struct SassInstruction {
  std::uint64_t offset = 0;  // in its kernel
  std::string predicate;     // "P0", "!P1", "UP0"; "": always
  std::string opcode;        // with modifiers: "LDG.E.128"
  std::string operands;
  std::vector<std::uint64_t> targets;  // of a branch or call, where they are known
};

struct SassKernel {
  std::string name;
  std::vector<SassInstruction> code;  // by offset
};

// All functions in nvdisasm's text (with or without line information), or in cuobjdump -sass's.
std::vector<SassKernel> parse_sass(std::string_view text);

// The image through nvdisasm, in a sandbox; or why not, and how to fix it. `options` are
// nvdisasm's.
base::Result<std::string> disassemble(const std::string& image,
                                      const std::vector<std::string>& options);

}  // namespace hone::profile
