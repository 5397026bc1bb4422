// Disassemblers' texts, which are made from images that hostile source became: the first byte
// chooses the reader.
#include <cstdlib>
#include <string_view>

#include "profile/cpu_code.h"
#include "profile/cpu_source.h"
#include "profile/line_map.h"
#include "profile/sass.h"

namespace {

using namespace hone::profile;

void must(bool holds) {
  if (!holds) std::abort();
}

void read_sass(std::string_view text) {
  const auto lines = parse_line_map(text, "f", "f.cu");
  for (const auto& kernel : parse_sass(text)) {
    const auto summary = summarise(kernel, &lines);
    must(summary.instructions == static_cast<int>(kernel.code.size()));
    must(static_cast<std::size_t>(summary.loops) >= summary.innermost.size());
    for (const auto& loop : summary.innermost)
      must(loop.depth >= 1 && loop.first <= loop.last && loop.instructions > 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] & 3) {
    case 0: {
      const auto code = read_cpu_code(text);
      must(code.scalar >= 0 && code.vector >= 0 && code.math_calls <= code.instructions);
      break;
    }
    case 1:
      (void)features_of(text, "f");
      (void)vector_bits(text);
      break;
    default:
      read_sass(text);
  }
  return 0;
}
