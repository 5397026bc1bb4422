#pragma once
// The smallest task there is, for tests on the fake device: y is x.
#include <filesystem>

#include "base/files.h"

namespace hone::end_to_end {

inline constexpr const char* copy_task = R"(hone = 1
name = "copy"
summary = "A copy."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal" }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 0, rms = 0 }
[[case]]
name = "odd"
bind = { n = 33 }
use = "check"
[[case]]
name = "main"
bind = { n = 1024 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
)";

inline constexpr const char* copy_reference = R"(#include <hone/reference.h>
HONE_REFERENCE(call) { call.output("y") = call.input("x"); }
)";

inline void write_copy_task(const std::filesystem::path& folder) {
  base::make_folder(folder);
  base::write_file_atomically(folder / "task.toml", copy_task);
  base::write_file_atomically(folder / "reference.cc", copy_reference);
}

}  // namespace hone::end_to_end
