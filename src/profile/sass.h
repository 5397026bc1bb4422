#pragma once
// The machine code of a built CUDA image: disassembled in a sandbox (the image comes from hostile
// source), read into instructions, and counted: mix by class, widths, loops. What is in no class is
// counted as unknown and named.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/line_map.h"
#include "profile/profile.h"
#include "profile/sass_code.h"

namespace hone::profile {

// A loop that has none inside it.
struct SassLoop {
  std::uint64_t first = 0, last = 0;  // offsets of its first and last instruction in the kernel
  int depth = 1;                      // 1: not inside another
  int first_line = 0,
      last_line = 0;  // of the candidate's own source, where a line map was given; 0: not known
  std::map<std::string, int> mix;  // instructions by class
  int instructions = 0;
};

struct SassSummary {
  std::string kernel;
  int instructions = 0, unknown = 0, loops = 0, predicated = 0;
  std::map<std::string, int> mix,
      loop_mix;  // by class (profile/tags.h), all code and innermost loops
  // "load_global" -> bits -> instructions; likewise store_global, load_shared, store_shared
  std::map<std::string, std::map<int, int>> widths;
  std::map<std::string, int> counts;   // by tag: "sass.tensor.hmma", "sass.fence.membar", ...
  std::map<std::string, int> strange;  // opcodes in no class
  double address_per_access = -1;      // -1: there are no accesses
  std::vector<SassLoop> innermost;
};

SassSummary summarise(const SassKernel& kernel, const LineMap* lines = nullptr);

// Metrics sass.*, per launch. `image` is the cubin as built (device::BuildResult::image).
Collected collect_sass(const std::string& image, const core::ResolvedPlan& plan);
// The same from a disassembler's text.
Collected collect_sass_text(std::string_view text, const core::ResolvedPlan& plan);

}  // namespace hone::profile
