#include "run/driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "run/advice.h"
#include "run/given.h"
#include "run/names.h"
#include "run/record.h"
#include "run/run_lock.h"
#include "run/status.h"
#include "store/advice_ledger.h"
#include "store/journal.h"

namespace hone::run {

using core::Action;
using core::DecidedAction;
using core::Node;
using store::RunState;

namespace {

constexpr auto longest_wait =
    std::chrono::milliseconds(50);  // the flag of a cancellation is looked at then
constexpr auto publish_again = std::chrono::milliseconds(200);  // for processes that watch the run

search::StrategySettings strategy_settings(const RunContext& context, const Judges& judges) {
  const RunSettings& settings = context.settings;
  const core::Task& task = context.task;
  search::StrategySettings strategy;
  strategy.width = settings.width;
  strategy.tries = settings.tries;
  strategy.attempts = settings.attempts;
  strategy.max_candidates = settings.budget.candidates;
  strategy.stop_at_ceiling = settings.stop_at_ceiling;
  strategy.stop_after_flat = settings.stop_after_flat;
  // A translation of Python to Python would be the problem itself: there the first attempts begin.
  strategy.translates =
      !context.writes_python() && (!task.reference_cc.empty() || task.reference_py);
  strategy.explains = settings.feedback != "none" && judges.profiles();
  strategy.probes = !task.external;
  strategy.compares = judges.certifies();
  return strategy;
}

// After these no other answer can be expected from the model in this run.
bool ends_the_run(llm::FaultKind kind) {
  return kind == llm::FaultKind::rejected || kind == llm::FaultKind::cancelled;
}

bool asks_a_model(const Action& action) {
  return action.kind == Action::Kind::ask || action.kind == Action::Kind::write ||
         action.kind == Action::Kind::probe;
}

}  // namespace

Driver::Driver(const RunRequest& request, Journal& journal, Ledger& ledger)
    : request_(request),
      journal_(journal),
      ledger_(ledger),
      has_generations_(search::has_generations(request.context.settings.strategy)),
      nodes_(journal),
      questions_(request.context, journal, nodes_),
      jobs_(events_),
      asker_(
          ledger, request.context.models, events_,
          [this](const std::string& asker, const std::string& what) { set_doing(asker, what); },
          [this](const std::string& asker, const std::string& text) {
            events_.post([this, line = asker + (text.starts_with("asks ") ? " " : ": ") + text] {
              request_.watcher.note(line);
            });
          }),
      parts_{request.context,
             journal,
             nodes_,
             questions_,
             asker_,
             jobs_,
             request.cancelled,
             request.watcher.say,
             [this](const std::string& role, const std::string& what) { set_doing(role, what); },
             [this](const std::string& asker, const std::string& step, const llm::Fault& fault) {
               return goes_on_without(asker, step, fault);
             },
             [this](const JobDone& done) {
               if (broken_.empty()) broken_ = done.why;
             }},
      judging_(parts_),
      writers_(parts_, judging_),
      roles_(parts_),
      judges_(request.judges(journal.run(), jobs_.callback(), [this] {
        return request_.cancelled.load() || ledger_.out_of_time();
      })) {
  jobs_.open(*judges_);
  strategy_ = search::make_strategy(request.context.settings.strategy,
                                    strategy_settings(request.context, *judges_));
}

Driver::~Driver() = default;

void Driver::stop(RunState state, const std::string& why) {
  if (!stop_) stop_ = Stop{state, why};
}

void Driver::set_doing(const std::string& role, const std::string& what) {
  const std::lock_guard lock(doing_mutex_);
  if (what.empty())
    doing_.erase(role);
  else
    doing_[role] = what;
}

void Driver::publish() {
  RunStatus status = status_of(journal_.tree(), journal_.run());
  status.phase = phase_;
  status.spending = ledger_.spending();
  status.minutes = ledger_.minutes();
  status.budget = request_.context.settings.budget;
  status.device_seconds = judges_->busy_seconds();
  status.workers = judges_->workers();
  {
    const std::lock_guard lock(doing_mutex_);
    status.doing = doing_;
  }
  request_.watcher.update(status);
  journal_.archive().with([&](store::Archive& archive) {
    store::set_activity(archive, journal_.run(), activity_text(status));
  });
  published_ = std::chrono::steady_clock::now();
}

bool Driver::goes_on_without(const std::string& asker, const std::string& step,
                             const llm::Fault& fault) {
  if (request_.cancelled) {
    stop(RunState::stopped, "it was interrupted");
  } else if (fault.kind == llm::FaultKind::over_budget || fault.kind == llm::FaultKind::exhausted) {
    stop(RunState::finished, fault.text);
  } else if (ends_the_run(fault.kind)) {
    stop(RunState::stopped, fault.text);
  } else {
    request_.watcher.say(fmt::format("{}: no answer to {} ({}): {}", asker, step,
                                     llm::name_of(fault.kind), fault.text));
    return true;
  }
  return false;
}

// What was decided and is not done: asked again, which costs nothing where the answer is there, and
// judged.
void Driver::go_on_with_what_was_begun() {
  std::vector<core::NodeId> asked, written;
  for (const Node& node : journal_.tree().nodes) {
    if (node.state == Node::State::asked) asked.push_back(node.number);
    if (node.state == Node::State::written) written.push_back(node.number);
  }
  for (const auto number : written) judging_.judge(number);
  std::vector<DecidedAction> open;
  for (const DecidedAction& act : journal_.tree().actions)
    if (act.state == DecidedAction::State::under_way && act.action.kind != Action::Kind::write)
      open.push_back(act);
  for (const auto number : asked) writers_.write(number);
  for (const DecidedAction& act : open) start(act);
}

void Driver::start(const DecidedAction& act) {
  const Action& action = act.action;
  switch (action.kind) {
    case Action::Kind::ask:
      return roles_.ask(act);
    case Action::Kind::write:
      return writers_.write(act.node);
    case Action::Kind::probe:
      return writers_.probe(act);
    case Action::Kind::explain:
      return judging_.explain(act);
    case Action::Kind::promote:
      return has_generations_ ? settle_advice(journal_, nodes_, action.generation)
                              : settle_advice_so_far(journal_, nodes_, false);
  }
}

namespace {

// Without generations every candidate has a reason of its own.
std::string sentences_about_each(const std::vector<DecidedAction>& actions) {
  std::string text;
  for (const DecidedAction& act : actions)
    if (act.node != 0)
      text += fmt::format("{}{} from {}: {}", text.empty() ? "" : "\n", node_name(act.node),
                          act.action.basis == 0 ? "nothing" : node_name(act.action.basis),
                          act.action.why);
  return text;
}

// What a person is told of a decision.
std::string sentence_about(const core::Tree& before, const std::vector<DecidedAction>& actions,
                           bool has_generations) {
  const Action& first = actions.front().action;
  if (first.kind == Action::Kind::promote) {
    const Node* incumbent = core::incumbent_before(before, first.generation);
    if (incumbent != nullptr && incumbent->number == first.basis) return "";
    return fmt::format("{} is the incumbent: {}", node_name(first.basis), first.why);
  }
  if (!has_generations) return sentences_about_each(actions);
  const auto experiments =
      std::count_if(actions.begin(), actions.end(), [](const DecidedAction& act) {
        return act.action.place.origin == core::Origin::experiment && act.action.intent != 0 &&
               act.action.repairs == 0 &&
               (act.action.kind == Action::Kind::write || act.action.kind == Action::Kind::probe);
      });
  if (experiments == 0) return "";
  return fmt::format("generation {}: from {}, {} experiments", first.generation,
                     node_name(first.basis), experiments);
}

}  // namespace

void Driver::decide() {
  const bool away = judges_->away();
  // The results of a trip are taken in whole before anything is decided.
  while (!stop_ && !(away && jobs_.in_flight() > 0)) {
    int in_flight = asker_.in_flight() + (away ? 0 : static_cast<int>(jobs_.in_flight()));
    const int slots =
        request_.context.settings.slots > 0 ? request_.context.settings.slots : most_in_flight;
    const search::Decision decision =
        strategy_->next(journal_.tree(), {.model = std::max(0, slots - in_flight), .judge = 1});
    if (!decision.finished.empty()) return stop(RunState::finished, decision.finished);
    if (!decision.stopped.empty()) return stop(RunState::stopped, decision.stopped);
    if (decision.actions.empty()) return;
    if (std::any_of(decision.actions.begin(), decision.actions.end(), asks_a_model))
      if (const auto cap = ledger_.spent(); !cap.empty()) return stop(RunState::finished, cap);
    const core::Decided decided = core::numbered(journal_.tree(), decision.actions);
    const std::string said = sentence_about(journal_.tree(), decided.actions, has_generations_);
    journal_.append([&](store::Archive& archive) {
      for (const DecidedAction& act : decided.actions) {
        const Node* basis = journal_.tree().node(act.action.basis);
        if (act.action.kind == Action::Kind::ask && act.action.role == core::Role::designer &&
            request_.context.settings.feedback == "tools" && basis != nullptr && basis->profile &&
            !basis->profile->profile.empty())
          store::record_shown(archive, journal_.run(), act.action.generation, basis->number,
                              basis->profile->profile);
      }
      return decided;
    });
    if (!said.empty()) request_.watcher.say(said);
    for (const DecidedAction& act : decided.actions) start(act);
    phase_ = decided.actions.front().action.generation == 0 ? "first generation"
             : has_generations_                             ? "generation"
                                                            : "searching";
  }
}

void Driver::wait() {
  events_.run(longest_wait);
  if (std::chrono::steady_clock::now() - published_ >= publish_again) publish();
  if (!broken_.empty()) base::fail(base::ExitCode::environment, "{}", broken_);
}

bool Driver::is_quiet() const { return asker_.in_flight() == 0 && jobs_.in_flight() == 0; }

void Driver::wait_for_all() {
  while (!is_quiet()) wait();
}

RunResult Driver::work() {
  RunResult result;
  result.run = journal_.run();
  request_.watcher.say(fmt::format("run {}: {} on {}", journal_.run(), request_.context.task.name,
                                   judges_->describe()));
  phase_ = "first generation";
  publish();
  go_on_with_what_was_begun();
  while (!stop_) {
    decide();
    if (stop_ || is_quiet()) break;
    wait();
    if (request_.cancelled) stop(RunState::stopped, "it was interrupted");
    if (ledger_.out_of_time() && is_quiet()) stop(RunState::finished, ledger_.spent());
  }
  wait_for_all();  // what is paid for is taken, and what was written is judged
  if (request_.cancelled) stop(RunState::stopped, "it was interrupted");
  if (!stop_ && ledger_.out_of_time()) stop(RunState::finished, ledger_.spent());
  if (!stop_) stop(RunState::away, "candidates are away to be judged");
  if (!has_generations_ && stop_->state == RunState::finished)
    settle_advice_so_far(journal_, nodes_, true);
  if (stop_->state == RunState::finished && jobs_.away().empty())
    conclude(result);  // what is away may be the best
  result.state = stop_->state;
  result.stopped = stop_->why;
  result.away = jobs_.away();
  std::sort(result.away.begin(), result.away.end());
  if (result.state == RunState::finished && !result.away.empty()) result.state = RunState::away;
  phase_.clear();
  publish();
  result.status = status_of(journal_.tree(), journal_.run());
  result.status.device_seconds = judges_->busy_seconds();
  result.status.workers = judges_->workers();
  return result;
}

}  // namespace hone::run
