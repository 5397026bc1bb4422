#pragma once
// Runs a probe: a small device program that measures something about the hardware. It has a plan
// like a candidate's and one output, a buffer of numbers. It is built and run in the same sandbox
// and under the same limits as a candidate, but its numbers are not verified, since there is no
// reference for them. Used from one thread.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "base/result.h"
#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::judge {

// The length of a probe's output, the buffer `numbers`: f64, zero before the call.
constexpr std::int64_t probe_numbers = 64;

struct ProbeNumber {
  std::string label;  // "numbers[3]" where the source has none
  double value = 0;
};

struct ProbeResult {
  std::vector<ProbeNumber>
      numbers;  // those with labels; if there are no labels, all up to the last that is not zero
  double seconds = 0;  // of the call, by the judge's clock
};

struct ProbeFailure {
  core::Outcome outcome = core::Outcome::rejected;
  std::string text;
};

struct ProbeOptions {
  bool unsafe = false;       // see JudgeOptions
  double call_seconds = 20;  // limit for the call
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

void describe(base::Fields& fields, ProbeResult& probe);  // in JSON: see base/fields.h
void describe(base::Fields& fields, ProbeFailure& failure);

base::Result<ProbeResult, ProbeFailure> run_probe(const core::DeviceInfo& info,
                                                  const std::string& source,
                                                  const ProbeOptions& options);

// The labels in the first line of the form `// labels: latency, bandwidth`.
std::vector<std::string> probe_labels(const std::string& source);

}  // namespace hone::judge
