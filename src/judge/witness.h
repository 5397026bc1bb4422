#pragma once
// A race is convicted by a witness: the same input, whose result depends on the schedule. The
// candidate is called many times in a build with delays where its warps wait for one another
// (device/ptx_disturb.h), with caches cold and warm, then with one block at a time on a
// multiprocessor. On the judge's thread; the device must be free.
#include <cstdint>
#include <functional>
#include <string>

#include "judge/load.h"
#include "judge/trial.h"

namespace hone::judge {

constexpr int race_row = 34;  // of docs/trust.md
constexpr std::uint32_t disturbing_seed =
    1;  // the time at which a call begins makes its schedule another one

struct WitnessRule {
  double seconds = 6;
  int most_calls = 3000;
  bool bits = true;  // results must be equal bit by bit; otherwise within the tolerance
};

struct Witness {
  MaybeFinding found;  // what convicts
  int calls = 0;
  int different = 0;  // results, bit by bit
  bool hung = false;  // the last call did not end within its limit
  std::string
      stopped;  // why it ended before its time, where that proves nothing: a call that did not end
};

// What to keep of the first result, and what to say of one that differs from it.
struct WitnessEyes {
  std::function<void()> keep = [] {};
  std::function<std::string()> difference = [] { return std::string(); };
};
// Calls the trial's first input again and again. Wrong results and changed canaries convict, and
// other bits where the rule says so.
Witness look_for_witness(Trial& trial, const WitnessRule& rule, const WitnessEyes& eyes = {});

// Two searches ended with a call that hangs; between them the same code was called without its
// delays. Delays are a schedule like any other, so that a candidate that hangs because of them
// waits for something that need not come. Nothing: it may be the machine's doing, or that of the
// code around the delays.
MaybeFinding hang_finding(const Witness& first, const Witness& without_delays,
                          const Witness& second);

// The search, from building to the last call; the sentence for a label, or what convicts.
struct WitnessSearch {
  MaybeFinding found;
  std::string text;
};
struct SearchTerms {
  double seconds = 1;
  bool is_reported = false;  // racecheck reports: then a hang is looked into, too
};
WitnessSearch find_witness(Judge& judge, const Ready& ready, const core::Case& which,
                           const SearchTerms& terms, core::Evaluation& evaluation);

}  // namespace hone::judge
