// `hone worker` and the hidden `hone work`: see app/worker.h.
#include "app/worker.h"

#include <fmt/format.h>

#include "base/words.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"

namespace hone::cli {

using base::ExitCode;

int worker(const Typed<app::WorkerRequest>& command) {
  Progress progress(command.json);
  const auto result = app::work_for_spool(command, progress);
  if (command.json)
    put_json(result);
  else
    fmt::print("{} done by worker {}\n",
               base::counted(static_cast<std::int64_t>(result.done), "job"), result.worker);
  return static_cast<int>(progress.cancelled() ? ExitCode::interrupted : ExitCode::ok);
}

int work(const app::WorkerRequest& command) {
  app::do_work_of_spool(command);
  return 0;
}

}  // namespace hone::cli
