// The options of `hone simulate`.
#include <memory>

#include "cli/set_up.h"
#include "search/strategy.h"

namespace hone::cli {

std::function<int()> set_up_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateCommand>();
  options->strategies = {"greedy", "mcts", "scientist", "oneshot"};
  add_place(app, *options, options->json, false);
  app.add_option("--strategy", options->strategies,
                 "Those to hold against each other; the first is what the others are compared with")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--landscape", options->landscapes,
                 "smooth, deceptive, needle or noisy (default: all)")
      ->delimiter(',');
  app.add_option("--run", options->runs,
                 "A recorded run of the archive as a landscape; may be given again");
  app.add_option("--recorded", options->recorded,
                 "A folder of reports (.md) of recorded runs, each as a landscape");
  app.add_option("--slots", options->slots, "Candidates in flight at once")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  app.add_option("--max-candidates", options->candidates, "Of each run")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  app.add_option("--times", options->times, "Runs of each strategy in each landscape")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--seed", options->seed,
                 "Of the first run; the constants of mcts were chosen on seeds 1 to 300")
      ->capture_default_str();
  app.add_option("--stop-after-flat", options->stop_after_flat,
                 "Apply the stop rule, as `hone run` does; 0: every run takes all candidates")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  app.add_option("--threads", options->threads, "At once (default: one for each core)")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--figures", options->figures,
               "Print the rates and gains of the runs in --recorded instead of simulating");
  app.footer("No model is asked, and no device is used.");
  return [options] { return simulate(*options); };
}

}  // namespace hone::cli
