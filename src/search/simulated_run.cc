#include "search/simulated_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "core/records.h"
#include "search/landscape_constants.h"
#include "search/scientist.h"

namespace hone::search {
namespace {

using core::Action;
using core::DecidedAction;
using core::Experiment;
using core::Node;
using core::NodeId;

constexpr double seed_seconds = 1e-3;
// As the judges of a run do: a candidate that comes this near to the incumbent is compared with it.
constexpr double near_the_incumbent = 1.05;
constexpr double reach_of_99 = 2.58;  // standard deviations on each side

// What a random number is for.
enum Use : std::uint64_t { screened_time = 101, compared_ratio, answer_time, source };

class Simulation {
 public:
  Simulation(const Landscape& landscape, const Strategy& strategy, const SimulatedRequest& request)
      : landscape_(landscape), strategy_(strategy), slots_(request.slots) {}

  SimulatedRun run() {
    add(core::Given{{.origin = core::Origin::user_seed}, "seed", "seed.cu", "the user"});
    kernels_[1] = Kernel{};
    add(core::Judged{1, verdict_of(Kernel{}, 1), {}, {}});
    while (decide() && !events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      --in_flight_;
      event.happen();
    }
    result_.seconds = now_;
    const auto best = kernels_.find(strategy_.best(tree_));
    result_.best = best == kernels_.end() ? 0 : speed_in(landscape_, best->second);
    result_.tree = std::move(tree_);
    return std::move(result_);
  }

 private:
  struct Event {
    double at = 0;
    int number = 0;  // of equal times the first
    std::function<void()> happen;
    bool operator<(const Event& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  void add(core::Record record) { core::update(tree_, record); }

  // False: the strategy has finished, or can do nothing more.
  bool decide() {
    for (;;) {
      const Decision decision =
          strategy_.next(tree_, {.model = std::max(0, slots_ - in_flight_), .judge = 1});
      if (!decision.finished.empty() || !decision.stopped.empty()) {
        result_.finished = decision.finished + decision.stopped;
        return false;
      }
      if (decision.actions.empty()) return true;
      const core::Decided decided = core::numbered(tree_, decision.actions);
      add(decided);
      for (const DecidedAction& act : decided.actions) start(act);
    }
  }

  void after(double seconds, std::function<void()> happen) {
    ++in_flight_;
    events_.push({now_ + seconds, ++events_so_far_, std::move(happen)});
  }
  double answer_after(double usual, core::ActionId number) const {
    return usual *
           std::exp(recorded::spread_of_answers *
                    normal(landscape_.seed, answer_time, static_cast<std::uint64_t>(number)));
  }
  // One device does one thing at a time.
  double device_after(double seconds) {
    device_free_ = std::max(device_free_, now_) + seconds;
    return device_free_ - now_;
  }

  void start(const DecidedAction& act) {
    const auto number = act.number;
    switch (act.action.kind) {
      case Action::Kind::promote:
        return;
      case Action::Kind::explain:
        return after(device_after(recorded::profile_seconds),
                     [this, number, basis = act.action.basis] {
                       add(core::Profiled{number, basis, {"p", core::Bound::memory, "first", ""}});
                     });
      case Action::Kind::probe:
        return after(answer_after(recorded::writer_seconds, number),
                     [this, number, intent = act.action.intent] {
                       add(core::Probed{number, intent, {{{"cycles", 1}}, ""}});
                     });
      case Action::Kind::write:
        return after(answer_after(recorded::writer_seconds, number),
                     [this, node = act.node] { written(node); });
      case Action::Kind::ask:
        return ask(act);
    }
  }

  void ask(const DecidedAction& act) {
    const auto number = act.number;
    switch (act.action.role) {
      case core::Role::selector:
        return after(answer_after(recorded::designer_seconds, number),
                     [this, number, generation = act.action.generation] {
                       add(core::Answered{number, select_by_rule(tree_, generation), {}, {}});
                     });
      case core::Role::designer:
        return after(answer_after(recorded::designer_seconds, number),
                     [this, number, basis = act.action.basis] { designed(number, basis); });
      default:
        return after(answer_after(recorded::learner_seconds, number), [this, number] {
          add(core::Answered{number, {}, {}, core::Lesson{}});
        });
    }
  }

  // ---- designers

  void designed(core::ActionId number, NodeId basis) {
    std::vector<Known> known = known_;
    known.resize(landscape_.changes.size());
    for (const std::size_t change : tried_[basis]) known[change].tried_here = true;
    core::Design answer;
    std::vector<std::size_t> changes;
    for (const Offer& offer : design(landscape_, kernels_.at(basis), known, ++result_.designs)) {
      const Change& change = landscape_.changes[offer.change];
      answer.experiments.push_back({.description = fmt::format("change {}", offer.change),
                                    .gain_low = offer.low,
                                    .gain_high = offer.high,
                                    .innovation = change.innovation,
                                    .advice = {fmt::format("A{}", change.place + 1)}});
      changes.push_back(offer.change);
    }
    if (changes.empty()) return add(core::Failed{number, "every change was tried"});
    add(core::Answered{number, {}, answer, {}});
    const auto& intents = tree_.actions[static_cast<std::size_t>(number) - 1].intents;
    for (std::size_t i = 0; i < intents.size(); ++i) change_of_[intents[i]] = changes[i];
  }

  // ---- writers

  // The change of an experiment; of a general one any that can be made. Nothing: there is none.
  std::optional<std::size_t> change_of(const Node& node) {
    if (const auto found = change_of_.find(node.intent); found != change_of_.end())
      return found->second;
    const Kernel& basis = kernels_.at(node.basis);
    const std::size_t count = landscape_.changes.size();
    const std::size_t first = mixed(landscape_.seed, key_of(node.basis)) % count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t change = (first + i) % count;
      if (!can_change(landscape_, basis, change) || landscape_.changes[change].weight <= 0 ||
          tried_[node.basis].contains(change))
        continue;
      change_of_[node.intent] = change;
      return change;
    }
    return std::nullopt;
  }

  std::uint64_t key_of(NodeId number) const {
    const auto found = keys_.find(number);
    return found == keys_.end() ? 0 : found->second;
  }

  std::optional<Kernel> kernel_for(const Node& node) {
    const int attempt = node.place.attempt;
    if (node.basis == 0) {
      keys_[node.number] = mixed(source, static_cast<std::uint64_t>(node.place.index));
      return write_first(landscape_, node.place.index, attempt);
    }
    const std::uint64_t key = key_of(node.basis);
    const core::Intent* intent = tree_.intent(node.intent);
    if (intent->experiment.kind == Experiment::Kind::combination) {
      keys_[node.number] = mixed(key, mixed(source, key_of(node.reference)));
      return write_union(landscape_, kernels_.at(node.basis), kernels_.at(node.reference),
                         keys_[node.number], attempt);
    }
    const auto change = change_of(node);
    if (!change) return std::nullopt;
    tried_[node.basis].insert(*change);
    keys_[node.number] = mixed(key, *change + 1);
    return write_change(landscape_, kernels_.at(node.basis), key, *change, attempt);
  }

  void written(NodeId number) {
    const auto kernel = kernel_for(*tree_.node(number));
    // The same experiment on the same basis gives the same source.
    const std::string name =
        kernel ? fmt::format("k{:x}", keys_[number]) : fmt::format("broken {}", number);
    add(core::Written{number, name, "a.cu", "m", "", {}});
    if (kernel) kernels_[number] = *kernel;
    after(device_after(recorded::judge_seconds), [this, number] { judged(number); });
  }

  // ---- judges

  core::Verdict verdict_of(const Kernel& kernel, NodeId number) const {
    core::Verdict verdict{.evaluation = "e", .outcome = core::Outcome::accepted};
    const CaseSpeeds speeds = speeds_in(landscape_, kernel);
    double sum = 0;
    for (std::size_t k = 0; k < timed_cases; ++k) {
      const double noise = landscape_.measurement_noise *
                           normal(mixed(landscape_.seed, key_of(number)), screened_time, k);
      const double seconds = seed_seconds * std::exp(-speeds[k] + noise);
      sum += std::log(seconds);
      verdict.cases.push_back({.name = k == 0 ? "first" : "second",
                               .timed = true,
                               .median = seconds,
                               .ceiling_fraction = std::exp(speeds[k] - landscape_.ceiling)});
    }
    verdict.geomean = std::exp(sum / timed_cases);
    return verdict;
  }

  std::optional<core::ComparedWith> compared(const Node& node, const core::Verdict& verdict) const {
    const Node* rival = tree_.node(node.rival);
    if (rival == nullptr || *verdict.geomean > near_the_incumbent * rival->seconds())
      return std::nullopt;
    const double noise = landscape_.comparison_noise;
    const double log_ratio = speed_in(landscape_, kernels_.at(rival->number)) -
                             speed_in(landscape_, kernels_.at(node.number)) +
                             noise * normal(mixed(landscape_.seed, key_of(node.number)),
                                            compared_ratio, static_cast<std::uint64_t>(node.rival));
    core::ComparedWith result{.other = node.rival, .comparison = "x", .ratio = std::exp(log_ratio)};
    result.interval = {std::exp(log_ratio - reach_of_99 * noise),
                       std::exp(log_ratio + reach_of_99 * noise)};
    result.word = core::word_for(result.interval, noise);
    return result;
  }

  void judged(NodeId number) {
    const Node node = *tree_.node(number);
    ++result_.candidates;
    const auto kernel = kernels_.find(number);
    if (kernel == kernels_.end()) {
      add(core::Judged{number, {.evaluation = "e", .outcome = core::Outcome::wrong}, {}, {}});
    } else {
      const core::Verdict verdict = verdict_of(kernel->second, number);
      add(core::Judged{number, verdict, {}, compared(node, verdict)});
      learn_from(*tree_.node(number));
      result_.best_seen = std::max(result_.best_seen, speed_in(landscape_, kernel->second));
    }
    const auto best = kernels_.find(strategy_.best(tree_));
    result_.best_by.push_back(best == kernels_.end() ? 0 : speed_in(landscape_, best->second));
  }

  // What later designers see of it.
  void learn_from(const Node& node) {
    const auto change = change_of_.find(node.intent);
    const auto gain = core::realised_gain(tree_, node);
    if (change == change_of_.end() || !gain) return;
    known_.resize(landscape_.changes.size());
    Known& known = known_[change->second];
    (*gain > 0 ? known.gained : known.lost) = true;
    if (*gain > 0) known.lost = false;
  }

  const Landscape& landscape_;
  const Strategy& strategy_;
  int slots_;
  core::Tree tree_;
  SimulatedRun result_;
  double now_ = 0, device_free_ = 0;
  int in_flight_ = 0, events_so_far_ = 0;
  std::priority_queue<Event> events_;
  std::map<NodeId, Kernel> kernels_;      // of accepted nodes
  std::map<NodeId, std::uint64_t> keys_;  // how each came to be
  std::map<core::IntentId, std::size_t> change_of_;
  std::map<NodeId, std::set<std::size_t>> tried_;  // on each basis
  std::vector<Known> known_;                       // by change
};

}  // namespace

SimulatedRun simulate_run(const Landscape& landscape, const Strategy& strategy,
                          const SimulatedRequest& request) {
  SimulatedRun run = Simulation(landscape, strategy, request).run();
  if (!request.keeps_tree) run.tree = {};
  return run;
}

}  // namespace hone::search
