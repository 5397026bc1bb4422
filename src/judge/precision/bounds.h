#pragma once
// How large the errors of one output may be. The bounds come from the task's tolerance and from the
// error of an honest single-precision kernel; for tasks whose reference is a torch module they are
// widened to the error that torch itself makes with TF32, because TF32 is then a class of precision
// (see placing.h). Pure functions.
#include <string>

#include "core/precision.h"
#include "judge/truth.h"

namespace hone::judge {

// A candidate whose rms error is more than this many times that of an honest kernel is wrong; see
// docs/formats.md.
constexpr double precision_factor = 64;
// The same relative to the error of torch with TF32. Other orders of summation, and truncation
// instead of rounding, stay within a factor of two; products of bfloat16 numbers have four to eight
// times the error. The factor for the largest error is wider because the largest of many errors
// varies more than their rms.
constexpr double tf32_rms_factor = 2, tf32_max_factor = 4;

struct Bounds {
  double max = 0, rms = 0;  // of the scaled errors
  double narrow = 0;        // an rms error above it shows a narrower precision; 0: not known
  bool max_by_tf32 = false, rms_by_tf32 = false,
       narrow_by_tf32 = false;  // the error with TF32 set this bound
};
// `tf32`: torch's errors with TF32 on these inputs; zeros where there is no such class.
Bounds bounds_for(const core::Output& output, double honest_rms, const ErrorPair& tf32);

}  // namespace hone::judge
