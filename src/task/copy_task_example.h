#pragma once
// For tests only: the task `copy`, whose one output is its one input, with a checked case of an odd
// size and a timed one; and the launch plan of kernels for it on the fake device.
#include <filesystem>

#include "base/files.h"

namespace hone::task::example {

inline constexpr const char* copy_task = R"(hone = 1
name = "copy"
summary = "Copies a vector."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal", mean = 1.0 }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 1e-5, rms = 1e-5 }
[[case]]
name = "odd"
bind = { n = 77 }
use = "check"
[[case]]
name = "timed"
bind = { n = 4096 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
)";
inline constexpr const char* copy_reference =
    "#include <hone/reference.h>\nHONE_REFERENCE(call) { call.output(\"y\") = call.input(\"x\"); "
    "}\n";
inline constexpr const char* copy_plan =
    "/* hone 1\n[[launch]]\nkernel = \"run\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]\n*/\n";

inline void write_copy_task(const std::filesystem::path& folder) {
  base::make_folder(folder);
  base::write_file_atomically(folder / "task.toml", copy_task);
  base::write_file_atomically(folder / "reference.cc", copy_reference);
}

}  // namespace hone::task::example
