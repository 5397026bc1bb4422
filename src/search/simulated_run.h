#pragma once
// One run of a strategy in a landscape: what `hone run` does, with the landscape in place of models
// and judges and a clock that only counts. Designers, writers and judges take their time, slots
// bound how much is in flight, results come in the order of their times. One thread for one run.
#include <vector>

#include "search/landscape.h"
#include "search/strategy.h"

namespace hone::search {

struct SimulatedRun {
  // Logarithms of the true speedup over the seed, without the noise of measurements.
  double best = 0;              // of the node that the run would be concluded with
  std::vector<double> best_by;  // of the incumbent after so many candidates were judged
  double best_seen = 0;         // of any node
  int candidates = 0, designs = 0;
  double seconds = 0;    // of the simulated clock
  std::string finished;  // as the strategy says
  core::Tree tree;
};

struct SimulatedRequest {
  int slots = 1;
  bool keeps_tree = false;
};

SimulatedRun simulate_run(const Landscape& landscape, const Strategy& strategy,
                          const SimulatedRequest& request);

}  // namespace hone::search
