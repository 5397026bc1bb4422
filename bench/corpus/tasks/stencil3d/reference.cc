#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto depth = call.size("depth"), height = call.size("height"), width = call.size("width");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  const auto own = static_cast<real>(call.scalar("own")), other = static_cast<real>(call.scalar("other"));
  const auto at = [&](int64_t d, int64_t r, int64_t c) -> real {
    const bool inside = d >= 0 && d < depth && r >= 0 && r < height && c >= 0 && c < width;
    return inside ? x[(d * height + r) * width + c] : 0;
  };
  for (int64_t d = 0; d < depth; ++d)
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c)
        y[(d * height + r) * width + c] =
            own * at(d, r, c) + other * (at(d, r, c - 1) + at(d, r, c + 1) + at(d, r - 1, c) + at(d, r + 1, c) +
                                         at(d - 1, r, c) + at(d + 1, r, c));
}
