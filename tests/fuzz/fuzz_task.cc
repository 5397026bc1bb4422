// Task files: whatever stands in a task.toml, reading it ends, complaints point into it, and an
// accepted task has sizes for every case.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "task/task_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  hone::core::Task task;
  task.reference_cu = "given";
  const auto wrong = hone::task::parse_task(text, "task.toml", task);
  const auto lines = static_cast<long>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const auto& diagnostic : wrong)
    if (diagnostic.message.empty() || diagnostic.at.line < 0 || diagnostic.at.line > lines)
      std::abort();
  (void)hone::base::render(wrong, text);
  if (!wrong.empty()) return 0;
  if (task.inputs.empty() || task.outputs.empty() || task.cases.empty()) std::abort();
  for (const auto& which : task.cases) {
    for (const auto& input : task.inputs)
      if (!hone::core::shape_of(input.shape, which.bindings)) std::abort();
    for (const auto& output : task.outputs)
      if (!hone::core::shape_of(output.shape, which.bindings)) std::abort();
    if (!task.work.bytes.evaluate(which.bindings)) std::abort();
  }
  return 0;
}
