#pragma once
// Many simulated runs of several strategies in many landscapes, and what can be said of them. Runs
// of one seed are in the same landscape for every strategy, so strategies are held against each
// other pair by pair. Runs of different seeds are spread over threads; figures do not depend on how
// many there are.
#include <functional>
#include <string>
#include <vector>

#include "core/stats.h"
#include "search/simulated_run.h"

namespace hone::search {

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<Strategy>()> make;
};

struct SimulationRequest {
  std::vector<Contestant> strategies;
  std::function<Landscape(std::uint64_t seed)> landscape;
  int slots = 1;
  int runs = 100;
  std::uint64_t first_seed = 1;
  int threads = 1;
};

// Of one strategy. Intervals are 95 %, by Student's t over the runs' logarithms.
struct Score {
  std::string strategy;
  double speedup = 1;  // geometric mean of the best over the seed
  core::Interval speedup_interval;
  double over_two = 0;  // part of the runs that became twice as fast as the seed
  // Candidates until a run had 90 % of the speed of the best that any strategy found in its
  // landscape, mean over the runs; one that never had counts with all of its candidates and one.
  double until_near_best = 0;
  double ratio = 1;  // of its speedup over the first strategy's
  core::Interval ratio_interval;
  double candidates = 0, designs = 0, hours = 0;  // means
};

std::vector<Score> simulate(const SimulationRequest& request);

}  // namespace hone::search
