#pragma once
// `hone recheck`: an old winner certified once more, and whether what was recorded of it still holds.
#include <string>

#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::cli {

struct Recheck {
  enum class Word { holds, faster, slower, not_accepted, undecided, not_comparable } word = Word::not_comparable;
  double ratio = 1;    // time now over time then
  double margin = 0;   // differences within it count as none
  std::string reason;  // a sentence
};
// Pure. Two figures of different hours are told apart only beyond the noise of such a distance.
Recheck recheck_verdict(const core::Evaluation& then, const core::Evaluation& now, core::ClockKind clock);
std::string_view name_of(Recheck::Word word);

}  // namespace hone::cli
