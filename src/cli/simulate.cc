// `hone simulate`: see app/simulate.h.
#include "app/simulate.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/table.h"

namespace hone::cli {
namespace {

using text::Column;

std::string interval_text(const core::Interval& interval) {
  return fmt::format("{:.3f} to {:.3f}", interval.low, interval.high);
}

std::string simulated_text(const app::SimulateResult& result, const text::Screen& screen) {
  constexpr auto right = Column::Align::right;
  std::string all;
  std::string landscape;
  std::optional<text::Table> table;
  const auto finish = [&] {
    if (table) all += fmt::format("{}\n{}\n", landscape, table->text(screen));
  };
  for (const app::SimulatedTable& one : result.tables) {
    if (one.landscape != landscape) {
      finish();
      landscape = one.landscape;
      const std::string beside = one.scores.empty() ? "" : one.scores.front().strategy;
      table.emplace(std::vector<Column>{{"slots", right},
                                        {"strategy"},
                                        {"speedup", right},
                                        {"95 %", right, 3},
                                        {"over " + beside, right},
                                        {"95 %", right},
                                        {"twice as fast", right, 2},
                                        {"near best after", right, 1},
                                        {"designs", right, 4},
                                        {"hours", right, 5}});
    }
    for (const search::Score& score : one.scores)
      table->add({std::to_string(one.slots), score.strategy, fmt::format("{:.3f}", score.speedup),
                  interval_text(score.speedup_interval), fmt::format("{:.3f}", score.ratio),
                  interval_text(score.ratio_interval),
                  fmt::format("{:.0f} %", 100 * score.over_two),
                  fmt::format("{:.1f}", score.until_near_best),
                  fmt::format("{:.1f}", score.designs), fmt::format("{:.2f}", score.hours)});
  }
  finish();
  return all + fmt::format(
                   "{} runs of each, {} candidates each at most, seeds from {}; speedups are "
                   "geometric means over the seed kernel's speed. These are models of searches, "
                   "not kernels (docs/search.md).\n",
                   result.times, result.candidates, result.first_seed);
}

std::string figures_text(const search::RecordedFigures& f) {
  return fmt::format(
      "first answers                    {}, of which {} failed\n"
      "repairs                          {}, of which {} succeeded\n"
      "experiments after the first step {}, of which {} were faster than their basis\n"
      "  these saved {:.1f} % on the average, the others cost {:.1f} %\n"
      "predictions: realised minus predicted {:.1f} percent points, standard deviation {:.1f}, "
      "half width {:.1f}\n",
      f.candidates, f.failed, f.repairs, f.repaired, f.later, f.gaining, f.mean_gain, f.mean_loss,
      f.prediction_bias, f.prediction_noise, f.prediction_half_width);
}

}  // namespace

int simulate(const SimulateCommand& command) {
  if (command.figures) {
    const auto result = app::recorded_figures(command);
    put(command.json ? base::json_text(result) : figures_text(result.figures));
    return 0;
  }
  Progress progress(command.json);
  const auto result = app::simulate(command, progress);
  put(command.json ? base::json_text(result) : simulated_text(result, text::screen_of(stdout)));
  return 0;
}

}  // namespace hone::cli
