#include "search/recorded_landscape.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "search/landscape_constants.h"

namespace hone::search {
namespace {

using Kind = RecordedCandidate::Kind;

constexpr int seeds = 0, rewritten = 1;  // designs
constexpr std::size_t most_changes = 64;

const RecordedCandidate* candidate(const RecordedRun& run, core::NodeId number) {
  for (const auto& one : run.candidates)
    if (one.number == number) return &one;
  return nullptr;
}

// Percent of the basis's time that was saved.
std::optional<double> realised(const RecordedRun& run, const RecordedCandidate& one) {
  const RecordedCandidate* basis = candidate(run, one.basis);
  if (one.kind != Kind::experiment || basis == nullptr || !basis->seconds || !one.seconds)
    return std::nullopt;
  return 100 * (1 - *one.seconds / *basis->seconds);
}

// Whether its basis was made by an experiment too.
bool is_later(const RecordedRun& run, const RecordedCandidate& one) {
  const RecordedCandidate* basis = candidate(run, one.basis);
  return basis != nullptr && basis->kind == Kind::experiment;
}

// Where the landscape begins: what the first experiment was made on.
const RecordedCandidate* begun(const RecordedRun& run) {
  for (const auto& one : run.candidates)
    if (one.kind == Kind::experiment)
      if (const auto* basis = candidate(run, one.basis); basis != nullptr && basis->seconds)
        return basis;
  return nullptr;
}

double fastest_of(const RecordedRun& run, double seconds) {
  for (const auto& one : run.candidates) seconds = std::min(seconds, one.seconds.value_or(seconds));
  return seconds;
}

void add_first_speeds(Landscape& landscape, const RecordedRun& run, double beginning) {
  for (const auto& one : run.candidates)
    if (one.kind == Kind::first && one.seconds)
      landscape.first_speeds.push_back(std::log(beginning / *one.seconds));
}

// Half of what a few failures show, and half of what is usual: none in twenty does not mean never.
double part(int happened, int of, double usual) {
  constexpr double weight = 5;
  return (happened + weight * usual) / (of + weight);
}

}  // namespace

RecordedRun recorded_run_of(const core::Tree& tree, const std::string& name) {
  RecordedRun run{.name = name};
  for (const core::Node& node : tree.nodes) {
    if (!node.verdict && node.state != core::Node::State::unusable) continue;
    RecordedCandidate one{.number = node.number, .basis = node.basis};
    one.kind = core::is_given(node.place.origin) ? Kind::given
               : node.basis == 0                 ? Kind::first
                                                 : Kind::experiment;
    one.is_repair = node.repairs != 0;
    if (node.accepted()) one.seconds = node.seconds();
    if (const core::Intent* intent = tree.intent(node.intent))
      one.predicted = {intent->experiment.gain_low, intent->experiment.gain_high};
    run.candidates.push_back(one);
  }
  if (const core::Node* best = core::incumbent_of(tree); best != nullptr && best->verdict)
    for (const auto& c : best->verdict->cases)
      if (c.timed && c.ceiling_fraction)
        run.reached = std::min(run.reached.value_or(1), *c.ceiling_fraction);
  return run;
}

Landscape recorded_landscape(const RecordedRun& run, const std::vector<RecordedRun>& control,
                             std::uint64_t seed) {
  const RecordedCandidate* first = begun(run);
  if (first == nullptr)
    base::fail(base::ExitCode::bad_input,
               "the run {} has no experiment on a kernel with a time: nothing can be drawn from it",
               run.name);
  Landscape landscape{.name = run.name, .seed = seed, .soft_ceiling = false};
  landscape.ceiling = std::log(*first->seconds / fastest_of(run, *first->seconds)) -
                      std::log(std::min(1.0, run.reached.value_or(1)));
  landscape.measurement_noise = recorded::measurement_noise;
  landscape.comparison_noise = recorded::comparison_noise;
  for (const auto& one : run.candidates) {
    const auto gain = realised(run, one);
    if (!gain || landscape.changes.size() == most_changes) continue;
    const double log_gain = -std::log(1 - *gain / 100);
    const bool later = is_later(run, one);
    landscape.changes.push_back({.gain = {log_gain, log_gain},
                                 .from = later ? rewritten : seeds,
                                 .to = later ? any_design : rewritten,
                                 .place = static_cast<int>(landscape.changes.size()),
                                 .predicted = one.predicted});
  }
  if (landscape.changes.empty())
    base::fail(base::ExitCode::bad_input, "the run {} has no experiment with a time", run.name);
  const RecordedFigures figures = figures_of({run});
  landscape.failure = part(figures.failed, figures.candidates, recorded::failure);
  landscape.repair = part(figures.repaired, figures.repairs, recorded::repair);
  landscape.first_designs = {rewritten};
  for (const RecordedRun& other : control) add_first_speeds(landscape, other, *first->seconds);
  if (landscape.first_speeds.empty()) landscape.first_designs = {seeds};
  return landscape;
}

RecordedFigures figures_of(const std::vector<RecordedRun>& runs) {
  RecordedFigures figures;
  std::vector<double> errors;
  double widths = 0;
  for (const RecordedRun& run : runs)
    for (const auto& one : run.candidates) {
      if (one.kind == Kind::given) continue;
      ++(one.is_repair ? figures.repairs : figures.candidates);
      if (one.is_repair)
        figures.repaired += one.seconds.has_value();
      else
        figures.failed += !one.seconds.has_value();
      const auto gain = realised(run, one);
      if (!gain || !is_later(run, one)) continue;
      ++figures.later;
      figures.gaining += *gain > 0;
      (*gain > 0 ? figures.mean_gain : figures.mean_loss) += std::abs(*gain);
      if (!one.predicted) continue;
      errors.push_back(*gain - ((*one.predicted)[0] + (*one.predicted)[1]) / 2);
      widths += ((*one.predicted)[1] - (*one.predicted)[0]) / 2;
    }
  const int losing = figures.later - figures.gaining;
  if (figures.gaining > 0) figures.mean_gain /= figures.gaining;
  if (losing > 0) figures.mean_loss /= losing;
  if (errors.size() < 2) return figures;
  const auto count = static_cast<double>(errors.size());
  for (const double error : errors) figures.prediction_bias += error / count;
  double squares = 0;
  for (const double error : errors)
    squares += (error - figures.prediction_bias) * (error - figures.prediction_bias);
  figures.prediction_noise = std::sqrt(squares / (count - 1));
  figures.prediction_half_width = widths / count;
  return figures;
}

}  // namespace hone::search
