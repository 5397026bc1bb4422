#include "app/simulate.h"

#include <fmt/format.h>

#include <thread>

#include "app/inputs.h"
#include "app/recorded_report.h"
#include "base/error.h"
#include "base/fields.h"
#include "run/journal.h"
#include "store/research.h"

namespace hone::app {
namespace {

struct NamedLandscape {
  std::string name;
  std::function<search::Landscape(std::uint64_t seed)> make;
};

std::vector<NamedLandscape> landscapes_of(const SimulateRequest& request) {
  std::vector<NamedLandscape> all;
  const bool only_recorded = !request.runs.empty() || !request.recorded.empty();
  std::vector<std::string> names = request.landscapes;
  if (names.empty() && !only_recorded)
    names.assign(std::begin(search::landscape_names), std::end(search::landscape_names));
  for (const std::string& name : names) {
    (void)search::make_landscape(name, 1);  // a wrong name is told at once
    all.push_back({name, [name](auto seed) { return search::make_landscape(name, seed); }});
  }
  const auto add = [&](search::RecordedRun run, std::vector<search::RecordedRun> control) {
    (void)search::recorded_landscape(run, control, 1);
    all.push_back({run.name, [run, control](auto seed) {
                     return search::recorded_landscape(run, control, seed);
                   }});
  };
  if (!request.recorded.empty())
    for (auto& reports : recorded_reports(request.recorded))
      add(std::move(reports.run), std::move(reports.control));
  if (request.runs.empty()) return all;
  auto archive = archive_to_read(request);
  for (const std::string& id : request.runs) {
    const auto run = store::get_run(archive, id);
    add(search::recorded_run_of(run::tree_of(archive, run.id), run.id), {});
  }
  return all;
}

std::vector<search::Contestant> contestants_of(const SimulateRequest& request) {
  search::StrategySettings settings;
  settings.max_candidates = request.candidates;
  settings.stop_after_flat = request.stop_after_flat;
  // Landscapes end at their ceilings; whether a run should stop there is another question.
  if (request.stop_after_flat == 0) settings.stop_at_ceiling = 0;
  std::vector<search::Contestant> list;
  for (const std::string& name : request.strategies) {
    (void)search::make_strategy(name, settings);
    list.push_back({name, [name, settings] { return search::make_strategy(name, settings); }});
  }
  return list;
}

}  // namespace

SimulateResult simulate(const SimulateRequest& request, Sink& sink) {
  const auto landscapes = landscapes_of(request);
  search::SimulationRequest simulation{
      .strategies = contestants_of(request), .runs = request.times, .first_seed = request.seed};
  simulation.threads = request.threads > 0
                           ? request.threads
                           : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  SimulateResult result{request.candidates, request.times, request.seed, {}};
  const auto all = static_cast<double>(landscapes.size() * request.slots.size());
  for (const NamedLandscape& landscape : landscapes)
    for (const int slots : request.slots) {
      require_wanted(sink);
      sink.step({fmt::format("{} with {} slots", landscape.name, slots),
                 static_cast<double>(result.tables.size()) / all,
                 {}});
      simulation.landscape = landscape.make;
      simulation.slots = slots;
      result.tables.push_back({landscape.name, slots, search::simulate(simulation)});
    }
  sink.step({});
  return result;
}

RecordedFiguresResult recorded_figures(const SimulateRequest& request) {
  if (request.recorded.empty())
    base::fail(base::ExitCode::usage,
               "--figures: name a folder of reports with --recorded, bench/results/recorded of "
               "Hone's sources for instance");
  std::vector<search::RecordedRun> runs;
  for (auto& reports : recorded_reports(request.recorded)) runs.push_back(std::move(reports.run));
  return {search::figures_of(runs)};
}

namespace {

void describe_score(base::Fields& f, const search::Score& score) {
  f("strategy", score.strategy)("speedup", score.speedup);
  f("speedup_interval", score.speedup_interval)("ratio", score.ratio);
  f("ratio_interval", score.ratio_interval)("part_over_two", score.over_two);
  f("candidates_until_near_best", score.until_near_best)("candidates", score.candidates);
  f("designs", score.designs)("hours", score.hours);
}

}  // namespace

void describe(base::Fields& f, const SimulateResult& result) {
  f("candidates", result.candidates)("times", result.times)("first_seed", result.first_seed);
  f.list("tables", result.tables, [&](const SimulatedTable& table) {
    f("landscape", table.landscape)("slots", table.slots);
    f.list("scores", table.scores, [&](const search::Score& score) { describe_score(f, score); });
  });
}

void describe(base::Fields& f, const RecordedFiguresResult& result) {
  const search::RecordedFigures& figures = result.figures;
  f("candidates", figures.candidates)("failed", figures.failed);
  f("repairs", figures.repairs)("repaired", figures.repaired);
  f("later", figures.later)("gaining", figures.gaining);
  f("mean_gain", figures.mean_gain)("mean_loss", figures.mean_loss);
  f("prediction_bias", figures.prediction_bias)("prediction_noise", figures.prediction_noise);
  f("prediction_half_width", figures.prediction_half_width);
}

}  // namespace hone::app
