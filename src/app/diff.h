#pragma once
// `hone diff A B`: what differs between two candidates, and what each of them takes.
#include <optional>
#include <string>

#include "app/common_options.h"
#include "app/named_candidate.h"
#include "base/fields_fwd.h"
#include "store/comparisons.h"

namespace hone::app {

struct DiffRequest : CommonOptions {
  std::string a, b;  // as candidate_named() takes them
};

struct DiffResult {
  NamedCandidate a, b;
  std::string
      diff;  // of the sources, unified; "": they are the same, but for the end of the last line
  // What was measured of exactly these two in interleaved blocks: worth more than two times of
  // different hours.
  std::optional<store::ComparisonRecord> compared;
};

DiffResult diff(const DiffRequest& request);

void describe(base::Fields& fields, const DiffResult& result);

}  // namespace hone::app
