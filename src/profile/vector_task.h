#pragma once
// The task of tests that profile: y is x times a factor, in vectors as long as each test wants
// them.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"

namespace hone::profile {

// Cases by name and length.
inline void write_vector_task(const std::filesystem::path& folder, int factor,
                              const std::vector<std::pair<std::string, int>>& cases) {
  std::string toml = R"(hone = 1
name = "times"
summary = "A vector, so many times."
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
[work]
bytes = "8 * n"
flops = { f32 = "n" }
)";
  for (const auto& [name, n] : cases)
    toml += fmt::format("[[case]]\nname = \"{}\"\nbind = {{ n = {} }}\n", name, n);
  base::write_file_atomically(folder / "task.toml", toml);
  base::write_file_atomically(
      folder / "reference.cc",
      "#include <hone/reference.h>\n"
      "HONE_REFERENCE(call) {\n"
      "  const auto x = call.input(\"x\");\n  auto& y = call.output(\"y\");\n" +
          fmt::format("  for (long i = 0; i < call.size(\"n\"); ++i) y[i] = {} * x[i];\n}}\n",
                      factor));
}

}  // namespace hone::profile
