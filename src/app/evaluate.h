#pragma once
// `hone eval`: is a candidate right, and how fast is it? Several are judged one after the other on
// the same inputs.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/error.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::app {

struct EvaluateRequest : CommonOptions {
  std::string task;
  std::vector<std::string> candidates;  // files
  std::string case_name;                // only this case; "": all
  core::Depth depth = core::Depth::screen;
  std::vector<std::string> set;      // NAME=VALUE for tunables
  std::vector<std::string> without;  // guards switched off: for the self-test, never recorded
  CallLimit limit;
  bool record = true;
  bool quick = false;  // fewer samples when screening on a GPU
};

// What was found of one of the candidates.
struct Verdict {
  std::string file;
  core::Evaluation evaluation;
  std::string id;  // in the archive; "": it is not recorded
  std::optional<base::Error>
      not_recorded;  // a verdict that cannot be recorded is told all the same
  // From the end of the one before it: waiting for its build included, but not what was done for it
  // meanwhile.
  double turn_seconds = 0;
};

struct EvaluateResult {
  core::DeviceInfo device;
  std::vector<Verdict> verdicts;  // in the order of the request
};

// `each`: told of every verdict when it is there.
EvaluateResult evaluate(
    const EvaluateRequest& request, Sink& sink,
    const std::function<void(const Verdict&, const core::DeviceInfo&)>& each = {});

// One candidate's verdict as it is; several as {"evaluations": [...]}.
void describe(base::Fields& fields, const EvaluateResult& result);

}  // namespace hone::app
