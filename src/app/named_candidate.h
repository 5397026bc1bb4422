#pragma once
// What a person means by a candidate, however it is named: a file, a candidate's or an evaluation's id, RUN:00012 for a
// member of a run, or a run for its best.
#include <optional>
#include <string>

#include "core/candidate.h"
#include "store/candidates.h"
#include "store/evaluations.h"

namespace hone::cli {

struct Subject {
  std::string label;         // what it is called in the answer: "softmax.cl", "r1f2e3d4c5b6:00012"
  std::string source, hash;  // hash: "" for a file that is no candidate (no plan that parses, and none put in front)
  std::string name;          // file name
  core::Language language = core::Language::opencl;
  std::optional<store::EvaluationRecord> evaluation;  // the one that was named, else the most telling of its own
  bool lacks_plan = false;  // of a file: what was evaluated is `hash`, the kernel with the plan of a task's seed
};

// Throws Error (bad_input): nothing has that name, or several do.
Subject subject_from(store::Archive& archive, const std::string& text);

// Accepted and certified, else accepted, else whatever is newest; an acceptance that does not stand any more
// (store/standing.h) is none.
std::optional<store::EvaluationRecord> telling_evaluation(store::Archive& archive, const std::string& candidate);

}  // namespace hone::cli
