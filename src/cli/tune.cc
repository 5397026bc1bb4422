// `hone tune`: see app/tune.h.
#include "app/tune.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "cli/tune_report.h"

namespace hone::cli {
using namespace text;
namespace {

// A search judges hundreds of points. Where steps cannot be rewritten in place, the cases of each
// would drown what is said of the points.
class TuningProgress : public Progress {
 public:
  using Progress::Progress;
  void step(const app::Step& step) override {
    if (terminal() || !step.text.starts_with("case ")) Progress::step(step);
  }
};

}  // namespace

int tune(const Typed<app::TuneRequest>& command) {
  TuningProgress progress(command.json);
  const auto result = app::tune(command, progress);
  if (command.json)
    put_json(result);
  else
    put(tune_report(result, screen_of(stdout)));
  return static_cast<int>(exit_code(result.tuning));
}

}  // namespace hone::cli
