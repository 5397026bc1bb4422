// Plans: the first byte chooses the language, the rest is a source. A plan that parses is checked,
// resolved and rewritten as the judge and the tuner would. The same text goes through the scanner
// of kernel signatures.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/plan.h"
#include "task/candidate_loader.h"
#include "task/kernel_scanner.h"
#include "task/plan_parser.h"
#include "task/task_draft.h"

namespace {

using hone::base::Expr;
using hone::core::DType;

hone::core::Task make_task() {
  hone::core::Task task;
  task.inputs.push_back({"x", DType::f32, {*Expr::parse("rows"), *Expr::parse("cols")}, {}, {}});
  task.outputs.push_back({"y", DType::f32, {*Expr::parse("rows"), *Expr::parse("cols")}, {}});
  task.scalars.push_back({"eps", DType::f32, 1e-5, std::nullopt});
  task.scalars.push_back({"total", DType::i64, 0, *Expr::parse("rows * cols")});
  task.cases.push_back({"small", {{"rows", 4}, {"cols", 8}}, true, "", false});
  return task;
}

void must_point_into(const hone::task::Diagnostics& diagnostics, const std::string& source) {
  const auto lines = static_cast<long>(std::count(source.begin(), source.end(), '\n')) + 1;
  for (const auto& diagnostic : diagnostics)
    if (diagnostic.message.empty() || diagnostic.at.line < 0 || diagnostic.at.line > lines)
      std::abort();
  (void)hone::base::render(diagnostics, source);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const auto task = make_task();
  if (size == 0) return 0;
  const auto language = static_cast<hone::core::Language>(data[0] % 3);
  const std::string source(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto kernels = hone::task::scan_kernels(source, language);
  const auto comment = hone::task::draft_plan(hone::task::draft_from(kernels), kernels);
  if (comment.find("*/") + 3 != comment.size())
    std::abort();  // nothing a stranger declared may end the comment early
  auto candidate = hone::task::candidate_from(source, language, "fuzz.cu");
  if (!candidate) {
    must_point_into(candidate.error(), source);
    return 0;
  }
  auto& plan = candidate->plan;
  const auto point = hone::core::default_point(plan);
  const auto device = hone::core::device_symbols(132, 32, 49152, 50 << 20, 1024);
  if (hone::task::set_defaults(source, point).empty()) std::abort();
  const auto again =
      hone::task::parse_plan(hone::task::set_defaults(source, point), "fuzz.cu", language);
  if (!again || hone::core::default_point(*again) != point) std::abort();
  const auto wrong = hone::task::check_plan(plan, task, "fuzz.cu");
  must_point_into(wrong, source);
  if (!wrong.empty()) return 0;
  (void)hone::core::admits(plan, point, device);
  (void)hone::core::resolve(plan, task, task.cases[0], point, device);
  return 0;
}
