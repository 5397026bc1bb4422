#pragma once
// Landscapes made of runs that were recorded: what experiments draw from is what the experiments of
// the run came to, with the predictions that their designers made. And the figures by which the
// other landscapes are drawn. Pure functions.
#include <optional>
#include <string>
#include <vector>

#include "core/tree.h"
#include "search/landscape.h"

namespace hone::search {

struct RecordedCandidate {
  enum class Kind : std::uint8_t { given, first, experiment };  // first: written from nothing
  Kind kind = Kind::experiment;
  core::NodeId number = 0, basis = 0;
  bool is_repair = false;
  std::optional<double> seconds;                   // nothing: it failed
  std::optional<std::array<double, 2>> predicted;  // percent
};

struct RecordedRun {
  std::string name;
  std::vector<RecordedCandidate> candidates;
  std::optional<double> reached;  // part of the ceiling that its best reached
};

RecordedRun recorded_run_of(const core::Tree& tree, const std::string& name);

// Experiments on the seed are alternatives, each of which is a rewrite; those that came later can
// each be made once on any rewrite, and their gains add up until the ceiling that was measured
// ends them. First attempts come to what those of the run and of its control arm came to. Throws
// Error (bad input) where nothing can be drawn from.
Landscape recorded_landscape(const RecordedRun& run, const std::vector<RecordedRun>& control,
                             std::uint64_t seed);

struct RecordedFigures {
  int candidates = 0, failed = 0;  // first answers
  int repairs = 0, repaired = 0;
  int later = 0, gaining = 0;           // experiments after the first step, with a time
  double mean_gain = 0, mean_loss = 0;  // percent
  double prediction_bias = 0, prediction_noise = 0, prediction_half_width = 0;
};
RecordedFigures figures_of(const std::vector<RecordedRun>& runs);

}  // namespace hone::search
