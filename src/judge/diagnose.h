#pragma once
// What went wrong, to the line. A candidate on a CUDA device that could not be launched, hung, or
// gave a wrong result runs once more, launch by launch and with line information: without tools
// first, so that the device's own dump tells where it stood, then under compute-sanitizer as it
// fits. For diagnosis only: it adds labels and never changes an outcome. At most
// `diagnosis_seconds` of the device. The caller must not hold the device.
#include <string>

#include "judge/load.h"

namespace hone::judge {

constexpr double diagnosis_seconds = 15;

// Where an evaluation ended.
struct Failed {
  static constexpr int not_known = -1;
  const core::Case* which = nullptr;
  int calls_before = 0;  // of the candidate on this case that were right, or not_known
};
void diagnose(Judge& judge, const Ready& ready, const Failed& failed, core::Evaluation& evaluation);

// Which checkers fit an outcome, in order.
std::vector<std::string> checkers_for(core::Outcome outcome);
// "It was call 3 on this case; the 2 before it were right: ..."
std::string call_text(int calls_before);  // "" where that is not known

}  // namespace hone::judge
