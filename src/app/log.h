#pragma once
// `hone log`: what was evaluated, newest first, a page at a time.
#include <optional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"
#include "core/evaluation.h"
#include "store/evaluations.h"

namespace hone::app {

struct LogRequest : CommonOptions {
  std::string task;  // name; "": all
  std::optional<core::Outcome> outcome;
  std::string before;  // id (or its beginning) of an evaluation: only earlier ones
  int limit = 20;
};

struct LogResult {
  std::vector<store::EvaluationLine> evaluations;
  std::string next;  // what `before` is of the next page; "": there is none
};

LogResult log(const LogRequest& request);

void describe(base::Fields& fields, const LogResult& result);

}  // namespace hone::app
