#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto batch = call.size("batch"), channels = call.size("channels"), down = call.size("down"),
             across = call.size("across"), side = call.size("side");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  size_t at = 0;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t v = 0; v < down; ++v)
      for (int64_t u = 0; u < across; ++u)
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t i = 0; i < side; ++i)
            for (int64_t j = 0; j < side; ++j)
              y[at++] = x[((b * channels + c) * down * side + v * side + i) * across * side + u * side + j];
}
