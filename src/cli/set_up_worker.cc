#include "cli/set_up.h"

namespace hone::cli {
namespace {

void add_limits(CLI::App& app, app::WorkerRequest& options) {
  app.add_option("--idle-minutes", options.idle_minutes,
                 "End after so long without a job (default: wait for as long as it takes)")
      ->check(positive());
  app.add_option("--max-minutes", options.max_minutes, "Begin no job after this time")
      ->check(positive());
  app.add_option("--device", options.device,
                 "Where to run: cuda:0, opencl:0 (default: the first for each job)");
  app.add_flag("--unsafe", options.unsafe,
               "Run native code without a sandbox where none can be had");
  app.add_flag("--of-run", options.of_run)->group("");
  app.add_option("spool", options.spool, "The DIR of --executor spool:DIR")->required();
}

}  // namespace

std::function<int()> set_up_worker(CLI::App& app) {
  auto options = std::make_shared<Typed<app::WorkerRequest>>();
  add_limits(app, *options);
  add_json(app, options->json);
  add_python(app);
  app.footer(
      "Any number of workers on any machines that see the folder share its jobs. SIGTERM and "
      "Ctrl-C "
      "end a worker at once; its job goes to another. Exit codes: 0 there was nothing more to do, "
      "4 "
      "no job can be done here, 130 interrupted.");
  return [options] { return worker(*options); };
}

std::function<int()> set_up_work(CLI::App& app) {
  auto options = std::make_shared<app::WorkerRequest>();
  add_limits(app, *options);
  app.add_option("--as", options->as)->required();
  app.group("");  // for hone's own processes
  return [options] { return work(*options); };
}

}  // namespace hone::cli
