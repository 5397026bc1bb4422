#pragma once
// A question to the hardware: a small device program with a plan like a candidate's, whose only output is a buffer of
// numbers. Built and run in the same sandbox and under the same limits as a candidate; nothing is verified, because
// nobody knows the answer. Used from one thread.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::judge {

// The buffer `numbers` of a probe: f64, zero before the call.
constexpr std::int64_t probe_numbers = 64;

struct ProbeNumber {
  std::string label;  // "numbers[3]" where the source gives none
  double value = 0;
};

struct ProbeResult {
  std::vector<ProbeNumber> numbers;  // those with labels; without labels those up to the last that is not zero
  double seconds = 0;                // of the call, by the judge's clock
};

struct ProbeFailure {
  core::Outcome outcome = core::Outcome::rejected;
  std::string text;
};

struct ProbeOptions {
  bool unsafe = false;       // as for candidates
  double call_seconds = 20;  // limit for the call
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

base::Result<ProbeResult, ProbeFailure> run_probe(const core::DeviceInfo& info, const std::string& source,
                                                  const ProbeOptions& options);

// The names in the first line of the form `// labels: latency, bandwidth`.
std::vector<std::string> probe_labels(const std::string& source);

}  // namespace hone::judge
