#pragma once
// What the models of a run decide, as plain values: which node to change, experiments, what was
// learned. src/agents parses them from replies, the journal keeps them, strategies and reports read
// them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields_fwd.h"

namespace hone::core {

using NodeId =
    int;  // a candidate of a run, from 1 in the order in which writing it was decided; 0: none
using IntentId = int;  // an experiment that was designed, from 1; 0: none
using ActionId = int;  // something a run decided to do, from 1; 0: none

struct Selection {
  NodeId basis = 0, reference = 0;  // what experiments change; what they may compare with
  std::string rationale;
};

struct Experiment {
  // combination: what made the basis fast and what made the reference fast, in one kernel.
  enum class Kind { kernel, probe, combination } kind = Kind::kernel;
  std::string description, rubric;
  double gain_low = 0,
         gain_high = 0;   // percent of the basis's time that should be saved, as predicted
  double innovation = 0;  // 0..100
  std::vector<std::string> advice;  // ids of the advice it rests on: "A1"
};

struct Design {
  std::vector<std::string> avenues;
  std::vector<Experiment> experiments;
  std::vector<std::string> notes;  // what was passed over in the answer, in sentences
};

struct Lesson {
  std::vector<std::string> findings;       // sentences worth telling later prompts
  std::vector<std::string> disagreements;  // where a report does not fit its diff
};

// The numbers that a probe measured, or why there are none.
struct ProbeNumbers {
  std::vector<std::pair<std::string, double>> numbers;  // label and value
  std::string failure;                                  // "": the numbers are there
};

std::string_view name_of(Experiment::Kind kind);  // "kernel", "probe", "combination"
void describe(base::Fields& fields, Experiment::Kind& kind);
void describe(base::Fields& fields, Experiment& experiment);
void describe(base::Fields& fields, Design& design);

}  // namespace hone::core
