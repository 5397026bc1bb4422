#pragma once
// `hone simulate`: how strategies behave, without models and devices. They are run in synthetic
// landscapes and in those that recorded runs come to, many times, and held against each other.
#include <cstdint>
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "search/recorded_landscape.h"
#include "search/simulation.h"

namespace hone::app {

struct SimulateRequest : CommonOptions {
  std::vector<std::string> strategies;  // the first is what the others are held against
  std::vector<std::string> landscapes;  // none: all, unless recorded runs are named
  std::vector<std::string> runs;        // of the archive, by id
  std::string recorded;                 // a folder with reports of recorded runs; "": none
  std::vector<int> slots{1, 4, 16};
  int candidates = 100;  // of each run
  int times = 200;       // runs of each strategy in each landscape
  // The constants of `mcts` were chosen on seeds 1 to 300; these are others.
  std::uint64_t seed = 3'000'001;
  int stop_after_flat = 0;  // as of `hone run`; 0: every run takes all of its candidates
  int threads = 0;          // 0: all cores
};

struct SimulatedTable {
  std::string landscape;
  int slots = 1;
  std::vector<search::Score> scores;  // by strategy
};

struct SimulateResult {
  int candidates = 0, times = 0;
  std::uint64_t first_seed = 0;
  std::vector<SimulatedTable> tables;
};

SimulateResult simulate(const SimulateRequest& request, Sink& sink);
void describe(base::Fields& fields, const SimulateResult& result);

// What landscape_constants.h was drawn from, of the reports in `request.recorded`.
struct RecordedFiguresResult {
  search::RecordedFigures figures;
};
RecordedFiguresResult recorded_figures(const SimulateRequest& request);
void describe(base::Fields& fields, const RecordedFiguresResult& result);

}  // namespace hone::app
