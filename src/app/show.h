#pragma once
// `hone show ID`: everything the archive has of one evaluation, profile or candidate, whichever the
// id (or a prefix of it) names, and the tree of a run. Reads the archive; no device is needed.
#include <string>
#include <variant>

#include "app/common_options.h"
#include "app/show_tree.h"
#include "base/fields_fwd.h"
#include "store/candidate_history.h"
#include "store/evaluations.h"
#include "store/profiles.h"

namespace hone::app {

struct ShowRequest : CommonOptions {
  std::string id;  // of a candidate, an evaluation or a profile, or a prefix of one; RUN:00012, or
                   // a run for its best
  bool tree = false;  // of a run: all of its nodes
  std::string why;    // a node of the run: why it was made, and what came of it
  int limit = 20;     // of evaluations, children, comparisons and profiles of a candidate
};

struct ShowResult {
  std::variant<store::CandidateHistory, store::EvaluationRecord, store::ProfileRecord, ShownTree,
               ShownReason>
      shown;
};

ShowResult show(const ShowRequest& request);

void describe(base::Fields& fields, const ShowResult& result);  // its "kind" says what it is

}  // namespace hone::app
