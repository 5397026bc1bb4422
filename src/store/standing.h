#pragma once
// Which verdict counts where a candidate was evaluated more than once. The archive keeps every
// evaluation; of those of one candidate at one point, for one task (by its hash), on one device (by
// its UUID), one stands:
//   1. that of the newest protocol version, because newer rules replace older ones, in both
//   directions;
//   2. of those the deepest, because certifying sees what screening cannot;
//   3. of those the latest.
// A candidate counts as solved, or as best, only while the evaluation that stands is an acceptance.
// Every command that ranks candidates asks here; the rule itself is the statement
// standing_evaluations in resources/sql.
//
// A refusal counts whatever cases it was limited to, an acceptance only for the cases that it is
// of. An evaluation that says nothing about the candidate (it is undecided, or a tuner gave the
// point up because it was slow) is left out.
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "store/archive.h"

namespace hone::store {

struct Standing {
  std::string id;            // of the evaluation
  std::string task, device;  // hash; UUID
  core::Point point;
  core::Depth depth = core::Depth::screen;
  core::Outcome outcome = core::Outcome::rejected;
};

// Which acceptances are taken into account.
struct StandingFilter {
  std::vector<std::string> cases;  // of all cases, or of exactly these; empty: of all cases only
  std::string metric;              // with a metric of this tag; "": with or without any
};

// One for each task, device and point that the candidate was evaluated for, the latest first.
std::vector<Standing> standing_evaluations(Archive& archive, const std::string& candidate,
                                           const StandingFilter& filter = {});

// The refusal that stands for the key's candidate, point, task and device. Nothing: an acceptance
// stands, or nothing that counts was recorded.
std::optional<Standing> refusal_of(Archive& archive, const core::EvaluationKey& key);

}  // namespace hone::store
