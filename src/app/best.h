#pragma once
// `hone best RUN`: the source of a run's best candidate, as it was judged, byte for byte.
#include <string>

#include "app/common_options.h"
#include "app/named_candidate.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct BestRequest : CommonOptions {
  std::string run;
  std::string out;     // the file to write; "": none
  bool force = false;  // overwrite a file that holds something else
};

struct BestResult {
  NamedCandidate candidate;
  std::string provenance;  // a sentence: of which run it is, how fast, and by which evaluation
  std::string written;     // the file; "": none
};

BestResult best(const BestRequest& request);

void describe(base::Fields& fields,
              const BestResult& result);  // with the source, or with the file it was written to

}  // namespace hone::app
