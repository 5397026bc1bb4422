#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto batch = call.size("batch"), height = call.size("height"), width = call.size("width");
  const auto channels = call.size("channels");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c)
        for (int64_t k = 0; k < channels; ++k) {
          const real* at = x.data() + ((b * 2 * height + 2 * r) * 2 * width + 2 * c) * channels + k;
          const int64_t down = 2 * width * channels;
          y[((b * height + r) * width + c) * channels + k] =
              std::max(std::max(at[0], at[channels]), std::max(at[down], at[down + channels]));
        }
}
