#include "judge/precision/arithmetic_used.h"

#include <fmt/format.h>

#include "judge/precision/tensor_instructions.h"

namespace hone::judge {

void note_arithmetic_used(const Judge& judge, const Ready& ready, core::Evaluation& evaluation) {
  // The kernels of a candidate in Python, and those beside library operations, were recorded with
  // the timed case.
  const bool python = ready.candidate.language == core::Language::python;
  if (python && !core::capabilities(judge.info()).records_kernels)
    add_metric(evaluation, "share.own_kernels", "1", std::nullopt, "",
               "on a CPU nothing tells a candidate's own code from a library's");
  else if (!python && !core::has_operations(ready.candidate.plan))
    add_metric(evaluation, "share.own_kernels", "1", 1);
  if (ready.candidate.language != core::Language::cuda || ready.image.empty()) return;
  constexpr const char* tag = "precision.tensor_instructions";
  const auto counts = tensor_counts(ready.image).get();
  if (!counts) return add_metric(evaluation, tag, "1", std::nullopt, "", counts.error());
  double all = 0;
  for (const auto& [type, count] : *counts) {
    add_metric(evaluation, fmt::format("{}.{}", tag, type), "1", count);
    all += count;
  }
  add_metric(evaluation, tag, "1", all);
}

}  // namespace hone::judge
