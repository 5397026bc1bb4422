#include "judge/precision/placing.h"

#include <algorithm>
#include <cmath>

#include "judge/pool.h"

namespace hone::judge {
namespace {

constexpr double half_unit = 0x1p-24, few_units = 0x1p-22;  // of single precision

void widen(ErrorPair& total, const ErrorPair& one) {
  total.max = std::max(total.max, one.max);
  total.rms += one.rms * one.rms;
}

ErrorPair over_calls(const ErrorPair& total, std::int64_t calls) {
  return {total.max, std::sqrt(total.rms / static_cast<double>(std::max<std::int64_t>(calls, 1)))};
}

// Single precision is in the class of TF32 too, output by output.
void place(const ErrorPair& error, const ErrorPair& fp32, const ErrorPair& tf32,
           const ErrorSlack& slack, Placing& placing) {
  const bool as_fp32 = no_worse(error, fp32, slack);
  placing.fp32 = placing.fp32 && as_fp32;
  placing.tf32 = placing.tf32 && (as_fp32 || no_worse(error, tf32, slack));
}

}  // namespace

bool no_worse(const ErrorPair& error, const ErrorPair& eager, const ErrorSlack& slack) {
  return error.rms <= std::max(slack.rms * eager.rms, half_unit) &&
         error.max <= std::max(slack.max * eager.max, few_units);
}

void ClassTally::add(const std::vector<ErrorPair>& errors, const Entry& entry,
                     std::int64_t refused) {
  outputs_.resize(errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    widen(outputs_[i].candidate, errors[i]);
    widen(outputs_[i].fp32, entry.fp32[i]);
    widen(outputs_[i].tf32, entry.tf32[i]);
    place(errors[i], entry.fp32[i], entry.tf32[i], slack_of_one_call, by_call_);
  }
  ++calls_;
  refused_ = std::max(refused_, refused);
}

Placing ClassTally::placed() const {
  Placing placing = by_call_;
  for (const auto& [candidate, fp32, tf32] : outputs_)
    place(over_calls(candidate, calls_), over_calls(fp32, calls_), over_calls(tf32, calls_),
          slack_of_all, placing);
  return placing;
}

ErrorPair ClassTally::worst(ErrorPair OutputErrors::*of) const {
  ErrorPair worst;
  for (const auto& output : outputs_) {
    const ErrorPair one = over_calls(output.*of, calls_);
    worst = {std::max(worst.max, one.max), std::max(worst.rms, one.rms)};
  }
  return worst;
}

}  // namespace hone::judge
