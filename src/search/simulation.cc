#include "search/simulation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace hone::search {
namespace {

using Runs = std::vector<SimulatedRun>;  // of one seed, by strategy

constexpr double near_best = 0.9, twice = 2;

Runs runs_of(const SimulationRequest& request, std::uint64_t seed) {
  const Landscape landscape = request.landscape(seed);
  Runs runs;
  for (const Contestant& one : request.strategies)
    runs.push_back(simulate_run(landscape, *one.make(), {.slots = request.slots}));
  return runs;
}

std::vector<Runs> all_runs(const SimulationRequest& request) {
  std::vector<Runs> all(static_cast<std::size_t>(std::max(0, request.runs)));
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++)
      all[i] = runs_of(request, request.first_seed + i);
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < request.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return all;
}

double best_of(const Runs& runs) {
  double best = 0;
  for (const SimulatedRun& run : runs) best = std::max(best, run.best);
  return best;
}

double until(const SimulatedRun& run, double log_speed) {
  const auto found = std::find_if(run.best_by.begin(), run.best_by.end(),
                                  [&](double speed) { return speed >= log_speed; });
  return static_cast<double>(found - run.best_by.begin() + 1);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

core::Interval exponential(const core::Interval& interval) {
  return {std::exp(interval.low), std::exp(interval.high)};
}

Score score_of(const std::vector<Runs>& all, std::size_t which) {
  std::vector<double> best, ratio, over, near, candidates, designs, hours;
  for (const Runs& runs : all) {
    const SimulatedRun& run = runs[which];
    best.push_back(run.best);
    ratio.push_back(run.best - runs[0].best);
    over.push_back(run.best >= std::log(twice));
    near.push_back(until(run, best_of(runs) + std::log(near_best)));
    candidates.push_back(run.candidates);
    designs.push_back(run.designs);
    hours.push_back(run.seconds / 3600);
  }
  Score score;
  score.speedup = std::exp(mean(best));
  score.speedup_interval = exponential(core::mean_interval(best));
  score.over_two = mean(over);
  score.until_near_best = mean(near);
  score.ratio = std::exp(mean(ratio));
  score.ratio_interval = exponential(core::mean_interval(ratio));
  score.candidates = mean(candidates);
  score.designs = mean(designs);
  score.hours = mean(hours);
  return score;
}

}  // namespace

std::vector<Score> simulate(const SimulationRequest& request) {
  const std::vector<Runs> all = all_runs(request);
  std::vector<Score> scores;
  for (std::size_t i = 0; i < request.strategies.size(); ++i) {
    scores.push_back(score_of(all, i));
    scores.back().strategy = request.strategies[i].name;
  }
  return scores;
}

}  // namespace hone::search
