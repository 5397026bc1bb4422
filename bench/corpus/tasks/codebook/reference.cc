#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& code = call.integers("code");
  const auto& book = call.input("book");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) y[i] = book[code[i]];
}
