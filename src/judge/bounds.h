#pragma once
// How far off an output may be: the task's tolerance and what an honest kernel makes, and, for tasks whose reference is
// a torch module, what that module itself makes of the same inputs with TF32: then TF32 is a class of precision (see
// own_inputs.h), and not a fault. Pure.
#include <string>

#include "core/precision.h"
#include "judge/truth.h"

namespace hone::judge {

// rms error of a candidate over an honest kernel's, above which it is wrong; see docs/tasks.md.
constexpr double precision_factor = 64;
// The same over that of torch with TF32. Products of bfloat16 numbers are four to eight times as far off; other orders
// of summation, and truncation instead of rounding, stay within two. The largest of many errors varies more than their
// rms.
constexpr double tf32_rms_factor = 2, tf32_max_factor = 4;

struct Bounds {
  double max = 0, rms = 0;  // of the scaled errors
  double narrow = 0;        // rms above which a narrower precision was at work; 0: nobody can tell
  bool max_by_tf32 = false, rms_by_tf32 = false, narrow_by_tf32 = false;  // TF32 has the say
};
// `tf32`: torch's errors with TF32 on these inputs; zeros where there is no such class.
Bounds bounds_for(const core::Output& output, double honest_rms, const ErrorPair& tf32);

}  // namespace hone::judge
