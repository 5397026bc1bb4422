#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& gate = call.input("gate");
  const auto& value = call.input("value");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) y[i] = gate[i] / (1 + std::exp(-gate[i])) * value[i];
}
