#pragma once
// `hone recheck`: a candidate that was evaluated before is certified once more, on the present
// driver and device. Does what was recorded of it still hold?
#include <string>
#include <string_view>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::app {

struct RecheckRequest : CommonOptions {
  std::string id;    // what a person calls the candidate (named_candidate.h)
  std::string task;  // its folder; "": where it was then
  CallLimit limit;
};

struct Recheck {
  enum class Word {
    holds,
    faster,
    slower,
    not_accepted,
    undecided,
    not_comparable
  } word = Word::not_comparable;
  double ratio = 1;    // time now over time then
  double margin = 0;   // differences within it count as none
  std::string reason;  // a sentence
};
std::string_view name_of(Recheck::Word word);

// Pure. Two times of different hours are told apart only beyond the noise of such a distance.
Recheck recheck_verdict(const core::Evaluation& then, const core::Evaluation& now,
                        core::ClockKind clock);

struct RecheckResult {
  std::string label;  // what the candidate is called in the answer
  core::DeviceInfo device;
  core::Evaluation then, now;
  std::string then_id, id;  // in the archive
  Recheck verdict;
};

RecheckResult recheck(const RecheckRequest& request, Sink& sink);
void describe(base::Fields& fields, const RecheckResult& result);

}  // namespace hone::app
