#pragma once
// Inputs and weights that a torch module draws for itself, under a secret seed, with what torch makes of them:
// the truth, and eager's errors in single precision and with TF32, and its results at torch's own settings. Precision
// classes are decided on these. Owned by the judge, as its pool is; on its thread.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "judge/pool.h"
#include "task/kernelbench_task.h"

namespace hone::judge {

struct OwnInputs {
  Entry entry;                       // its tf32 are eager's errors with TF32
  std::vector<ErrorPair> fp32;       // and these without, by output
  std::unique_ptr<BufferSet> eager;  // at torch's own settings, in f64 or i64
};

std::uint64_t own_inputs_bytes(const core::Task& task, const core::Case& which);
OwnInputs draw_own_inputs(const core::Task& task, const core::Case& which, device::Workbench& bench, Truth& truth,
                          Secrets& secrets);

// Whether an error is no worse than eager's. Both are random: the order of sums alone moves them, the largest of many
// more than their rms. So 10 % are allowed on the rms and a factor of two on the largest, and what is below a unit in
// the last place of single precision is as good as none.
bool no_worse(const ErrorPair& error, const ErrorPair& eager);

// In which classes of precision the errors of one call are, output by output.
struct Placing {
  bool fp32 = true, tf32 = true;
};
Placing placed(const std::vector<ErrorPair>& errors, const OwnInputs& own);

// Behind what would pass without computing ("zeros pass") and the benchmark's name, in the label that says so.
constexpr std::string_view proves_little = "'s own check, which proves little on this problem";
// The same with the name, for readers of stored evaluations, who have no task.
inline const std::string own_check = fmt::format(" {}{}", task::kernelbench_name, proves_little);

// The tolerance of the benchmark's own check for fp32, relative and absolute.
constexpr double official_tolerance = 1e-4;

}  // namespace hone::judge
