// `hone tune`: see app/tune.h.
#include "app/tune.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "cli/tune_report.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

// A search judges hundreds of points. Where steps cannot be rewritten in place, the cases of each
// would drown what is said of the points.
class TuningProgress : public Progress {
 public:
  using Progress::Progress;
  void step(const app::Step& step) override {
    if (terminal() || !step.text.starts_with("case ")) Progress::step(step);
  }
};

ExitCode code_of_tuning(const run::TuneResult& result) {
  if (result.interrupted) return ExitCode::interrupted;
  if (result.status.best_seconds) return ExitCode::ok;
  return result.status.undecided > 0 ? ExitCode::undecided : ExitCode::not_accepted;
}

}  // namespace

int tune(const Typed<app::TuneRequest>& command) {
  TuningProgress progress(command.json);
  const auto result = app::tune(command, progress);
  if (command.json)
    put_json(result);
  else
    put(tune_report(result, screen_of(stdout)));
  return static_cast<int>(code_of_tuning(result.tuning));
}

}  // namespace hone::cli
