#pragma once
// Inputs and weights that a KernelBench problem draws for itself, under a secret seed, with what torch makes of them:
// the truth, and eager's errors in single precision and with TF32, and its results at torch's own settings. Precision
// classes are decided on these. Owned by the judge, as its pool is; on its thread.
#include "judge/pool.h"

namespace hone::judge {

struct ErrorPair {
  double max = 0, rms = 0;  // of scaled errors, the worst output's
};

struct OwnInputs {
  Entry entry;
  std::unique_ptr<BufferSet> eager;  // at torch's own settings, in f64 or i64
  ErrorPair fp32, tf32;              // of eager
};

std::uint64_t own_inputs_bytes(const core::Task& task, const core::Case& which);
OwnInputs draw_own_inputs(const core::Task& task, const core::Case& which, device::Workbench& bench, Truth& truth,
                          Secrets& secrets);

// Whether an error is no worse than eager's. Both are random: the order of sums alone moves them, the largest of many
// more than their rms. So 10 % are allowed on the rms and a factor of two on the largest, and what is below a unit in
// the last place of single precision is as good as none.
bool no_worse(const ErrorPair& error, const ErrorPair& eager);

// KernelBench's tolerance for fp32, relative and absolute.
constexpr double official_tolerance = 1e-4;

}  // namespace hone::judge
