#pragma once
// What the tools for stall reasons have in common: a share of the warps' cycles above a threshold,
// the lines where it happens, and the gain if it went. Each reason's own reading is in its tool.
#include "profile/words.h"

namespace hone::profile {

// Whether the share is reached and no unit is so busy that the stalls are its queue.
bool is_the_wait(const Facts& facts, std::string_view reason, double least);
// The same where the unit that is busy may be the defect's own: `next_limit` is the busiest of the
// others.
bool is_the_wait(const Facts& facts, std::string_view reason, double least, double next_limit);

struct StallReading {
  std::string_view tool, reason;
  std::string_view in_words;  // "for data from memory": what warps wait for
  double least = 0;           // share of the warps' cycles from which it is looked at
  std::string title, cause, recommendation;
  SourcePlace place;
  std::string also;  // further evidence, sentences
  std::optional<double>
      next_limit;  // what binds when the wait is gone; the busiest unit where it is not given
};
std::optional<core::Advice> stall_advice(const Facts& facts, StallReading reading);

// More may go with the wait: at the high end the launch takes `rest` of its time; `why` ends the
// model.
void gain_up_to(core::Advice& advice, const Facts& facts, double rest, std::string_view why);
// The wait may be there for another reason than the one that is fixed: nothing is gained at the
// low end.
void may_gain_nothing(core::Advice& advice, std::string_view why);

bool uses_wgmma(const Facts& facts);       // wgmma or tcgen05 in its code
bool uses_async_copy(const Facts& facts);  // cp.async or a bulk copy in its code

}  // namespace hone::profile
