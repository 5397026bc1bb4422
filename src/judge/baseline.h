#pragma once
// Torch itself as somebody to be measured: eager and compiled, in each class of precision, every one in a process of
// its own, sample by sample in turn on the same inputs, by the same clocks as candidates. On the judge's thread.
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

// "fp32": TF32 off. "tf32": on for products and convolutions. "protocol": torch's own settings, as KernelBench has
// them.
extern const std::vector<std::string> class_names;

struct BaselineResult {
  std::string class_name, mode;              // mode: "eager" or "compile"
  std::optional<core::CaseResult> measured;  // errors are those against the truth
  std::string missing;                       // why it was not
};

// Throws Error where nothing at all can be measured (no torch, a problem that does not run).
std::vector<BaselineResult> measure_baselines(Judge& judge, const core::Case& which);

}  // namespace hone::judge
