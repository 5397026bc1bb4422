#pragma once
// A candidate as people name it: by a file, by the id of a candidate, an evaluation or a profile,
// as RUN:00012 for a node of a run, or by a run for its best. Plain values, read from the
// archive; one thread.
#include <optional>
#include <string>

#include "core/candidate.h"
#include "store/candidates.h"
#include "store/evaluations.h"

namespace hone::app {

struct NamedCandidate {
  std::string label;         // what it is called in the answer: "softmax.cl", "r1f2e3d4c5b6:00012"
  std::string source, hash;  // hash: "" for a file that is no candidate (no plan that parses, and
                             // none put in front)
  std::string name;          // file name
  core::Language language = core::Language::opencl;
  std::optional<store::EvaluationRecord>
      evaluation;  // the one that was named, else the representative one
  bool lacks_plan =
      false;  // of a file: what was evaluated is `hash`, the kernel with the plan of a task's seed
};

// Throws Error (bad_input) where nothing has that name, or several do.
NamedCandidate candidate_named(store::Archive& archive, const std::string& text);

// The evaluation to show for a candidate: accepted and certified, else accepted, else the newest.
// An acceptance that does not stand any more (store/standing.h) does not count as one.
std::optional<store::EvaluationRecord> representative_evaluation(store::Archive& archive,
                                                                 const std::string& candidate);

}  // namespace hone::app
