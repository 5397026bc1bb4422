#include "run/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/node_text.h"
#include "agents/text.h"
#include "base/error.h"
#include "run/names.h"
#include "run/record.h"
#include "run/tune_budget.h"
#include "run/tune_job.h"
#include "store/profiles.h"

namespace hone::run {

using core::Node;
using core::Outcome;

namespace {

bool is_undecided(const JobResult& result) {
  return result.evaluation && result.evaluation->outcome == Outcome::undecided;
}

std::optional<core::ComparedWith> compared_with(
    core::NodeId other, const std::string& id,
    const std::optional<store::ComparisonRecord>& comparison) {
  if (!comparison) return std::nullopt;
  return core::ComparedWith{other, id, comparison->ratio, comparison->interval, comparison->word};
}

// What comes back may have been made elsewhere, by a hone that knows nothing of this archive: the
// order of the advice is made here, and the profile is of what was asked for.
core::ProfileNote keep_profile(store::Archive& archive, core::Profile profile, const Node& node,
                               const std::string& task, const std::string& device_name) {
  profile.key.candidate = node.candidate;
  profile.key.task = task;
  profile::order(profile.advice, records_of_tools(archive));
  return {store::record_profile(archive, profile, device_name), profile.diagnosis.bound,
          profile.case_name, ""};
}

}  // namespace

// What is to be judged, beside what was: as it was written, or with the defaults it has now.
bool is_same_source(const Node& judged, const Node& node) {
  return judged.candidate == node.candidate ||
         (!judged.as_written.empty() && judged.as_written == node.candidate);
}

// What tuning came to, with what the archive keeps of it.
core::Tuning kept_tuning(store::Archive& archive, const Node& node, const core::Candidate& written,
                         const JobResult& result, const std::string& run) {
  core::Tuning tuning = *result.tuning;
  // It may come from elsewhere, and the budget is counted by it.
  tuning.points = std::clamp(tuning.points, 0, node.tune_points);
  tuning.failed = std::clamp(tuning.failed, 0, tuning.points);
  tuning.candidate = tuning.comparison = "";
  if (result.as_written) store::record_evaluation(archive, *result.as_written, result.device.name);
  if (result.beside_default)
    tuning.comparison = store::record_comparison(archive, *result.beside_default);
  if (!tuning.changed()) return tuning;
  core::Candidate tuned = with_defaults(written, tuning.point);
  tuned.name = node.name;
  tuning.candidate = tuned.hash;
  record_candidate(archive, tuned,
                   {{node.candidate},
                    node.author,
                    fmt::format("run {}, {}, tuned", run, name_of_place(node.place))});
  return tuning;
}

// The same source was judged before in this run: nothing is gained by judging it again.
bool Judging::take_known_verdict(const Node& node) {
  for (const Node& other : work_.journal.tree().nodes)
    if (other.number != node.number && is_same_source(other, node) && other.verdict &&
        other.verdict->outcome != Outcome::undecided) {
      core::Judged judged{node.number, *other.verdict, {}, {}};
      // The same defaults are better for it too, and cost nothing more.
      if (other.tuning && other.candidate != node.candidate) {
        judged.tuning = other.tuning;
        judged.tuning->points = judged.tuning->failed = 0;
      }
      work_.journal.append(judged);
      return true;
    }
  return false;
}

Job Judging::job_for(const Node& node) const {
  const RunContext& context = work_.context;
  const Judges& judges = work_.jobs.judges();
  Job job;
  job.name = judging_job(work_.journal.run(), node.number);
  job.task_folder = context.settings.task_path;
  job.task = context.task.hash;
  job.candidate = work_.nodes.candidate_of(node);
  job.call_seconds = context.settings.time_limit;
  const Node* rival = work_.journal.tree().node(node.rival);
  if (rival != nullptr && judges.certifies()) {
    job.compare_with = work_.nodes.candidate_of(*rival);
    // What is clearly slower than its rival needs no comparison.
    job.compare_under = rival->seconds() * near_the_incumbent;
    job.certify_if_faster = true;
    job.rivals = work_.journal.run();
    // What is certified on its trip needs no second one.
    if (const Node* seed = core::seed_of(work_.journal.tree()); judges.away() && seed != nullptr)
      job.seed = work_.nodes.candidate_of(*seed);
  }
  job.tune = tune_job_for(node, rival);
  // It may become a basis, and a profile of its own would need another trip.
  if (judges.away() && context.settings.feedback != "none" &&
      context.settings.strategy != "oneshot") {
    job.profile.emplace();
    if (rival != nullptr) job.profile->under = rival->seconds() * worth_explaining;
  }
  return job;
}

void Judging::judge(core::NodeId number) {
  const Node& node = *work_.journal.tree().node(number);
  if (take_known_verdict(node)) return;
  const auto [same, fresh] = in_flight_.try_emplace(node.candidate);
  if (!fresh) return same->second.push_back(number);  // it gets the verdict on the other
  const Job job = job_for(node);
  work_.doing(node_name(number), "is judged");
  work_.jobs.submit(job, [this, number, job](const JobDone& done) { judged(number, job, done); });
}

void Judging::judged(core::NodeId number, const Job& job, const JobDone& done) {
  work_.doing(node_name(number), "");
  if (done.state == JobDone::State::broken) return work_.job_failed(done);
  if (done.state != JobDone::State::done) return;
  if (!done.result->evaluation)
    base::fail(base::ExitCode::environment, "{}: nothing came back of the candidate", done.name);
  const bool first = job.name == judging_job(work_.journal.run(), number);
  // Once: a machine that is busy all the time would be asked for ever. The second answer stands,
  // undecided or not.
  if (is_undecided(*done.result) && first && !work_.cancelled) {
    work_.say(fmt::format("{} is undecided: it is judged once more", node_name(number)));
    Job second = job;
    second.name = again(job.name);
    return work_.jobs.submit(
        second, [this, number, second](const JobDone& other) { judged(number, second, other); });
  }
  record(number, job, *done.result);
  tell(number);
  judge_those_that_waited(job.candidate->hash);
}

void Judging::judge_those_that_waited(const std::string& candidate) {
  const auto found = in_flight_.find(candidate);
  const std::vector<core::NodeId> waited = std::move(found->second);
  in_flight_.erase(found);
  for (const core::NodeId number : waited) judge(number);
}

void Judging::record(core::NodeId number, const Job& job, const JobResult& result) {
  const Node node = *work_.journal.tree().node(number);
  const auto& device = result.device.name;
  // What does not pass certification was never accepted.
  const bool refused = result.certified && result.certified->outcome != Outcome::accepted;
  work_.journal.append([&](store::Archive& archive) {
    const core::Evaluation& evaluation = refused ? *result.certified : *result.evaluation;
    // First: the verdict may be on a source that the archive does not have yet.
    std::optional<core::Tuning> tuning;
    if (result.tuning)
      tuning = kept_tuning(archive, node, *job.candidate, result, work_.journal.run());
    core::Judged judged{
        number,
        core::verdict_of(evaluation, store::record_evaluation(archive, evaluation, device)),
        {},
        {},
        tuning};
    if (refused) return judged;
    if (result.certified && !result.certified_afresh)
      judged.certified = core::verdict_of(
          *result.certified, store::record_evaluation(archive, *result.certified, device));
    if (result.comparison)
      judged.compared = compared_with(
          node.rival, store::record_comparison(archive, *result.comparison), result.comparison);
    return judged;
  });
  if (refused) return;
  // It came with the same trip, so no second certification is asked for.
  if (result.certified && result.certified_afresh) {
    const Node* seed = core::seed_of(work_.journal.tree());
    work_.journal.append([&](store::Archive& archive) {
      core::Certified certified{
          number,
          core::verdict_of(*result.certified,
                           store::record_evaluation(archive, *result.certified, device)),
          {}};
      if (result.beside_seed && seed != nullptr)
        certified.compared =
            compared_with(seed->number, store::record_comparison(archive, *result.beside_seed),
                          result.beside_seed);
      return certified;
    });
  }
  if (!result.profile) return;
  try {
    work_.journal.append([&](store::Archive& archive) {
      return core::Profiled{
          0, number,
          keep_profile(archive, *result.profile, *work_.journal.tree().node(number),
                       work_.context.task.hash, device)};
    });
  } catch (const base::Error& error) {  // it came from elsewhere, and may be anything
    work_.say(fmt::format("what explains {} cannot be kept: {}", node_name(number), error.what()));
  }
}

void Judging::tell(core::NodeId number) const {
  const Node& node = *work_.journal.tree().node(number);
  if (node.tuning && node.tuning->points > 0)
    work_.say(fmt::format("{}: {}", node_name(number), agents::tuning_text(*node.tuning)));
  if (node.accepted() || core::is_given(node.place.origin)) return;
  work_.say(fmt::format("{}: {} was not accepted: {}", writer_name(node.place), node_name(number),
                        agents::verdict_text(node)));
}

void Judging::explain(const core::DecidedAction& act) {
  const Node& basis = *work_.journal.tree().node(act.action.basis);
  Job job;
  job.name = explaining_job(work_.journal.run(), act);
  job.task_folder = work_.context.settings.task_path;
  job.task = work_.context.task.hash;
  job.candidate = work_.nodes.candidate_of(basis);
  job.call_seconds = work_.context.settings.time_limit;
  job.profile.emplace();
  job.profile->programs = work_.context.settings.tools;
  job.profile->evaluation = work_.nodes.evaluation_of(basis);
  job.point = job.profile->evaluation->key.point;
  work_.doing("judge", fmt::format("explains {}", node_name(basis.number)));
  work_.jobs.submit(job,
                    [this, number = act.number](const JobDone& done) { explained(number, done); });
}

// An explanation that fails costs a run nothing but a sentence.
void Judging::explained(core::ActionId number, const JobDone& done) {
  work_.doing("judge", "");
  if (done.state == JobDone::State::away || done.state == JobDone::State::cancelled) return;
  const core::DecidedAction& act =
      work_.journal.tree().actions[static_cast<std::size_t>(number) - 1];
  const Node node = *work_.journal.tree().node(act.action.basis);
  std::string failure = done.state == JobDone::State::broken ? done.why : done.result->not_profiled;
  if (failure.empty() && !done.result->profile) failure = "nothing came back of the profile";
  if (failure.empty()) {
    try {
      return work_.journal.append([&](store::Archive& archive) {
        return core::Profiled{number, node.number,
                              keep_profile(archive, *done.result->profile, node,
                                           work_.context.task.hash, done.result->device.name)};
      });
    } catch (const base::Error& error) {
      failure = error.what();
    }
  }
  work_.say(fmt::format("{} could not be explained: {}", node_name(node.number), failure));
  work_.journal.append(core::Profiled{number, node.number, {"", core::Bound::mixed, "", failure}});
}

void Judging::certify(core::NodeId number, core::NodeId seed, std::function<void()> then) {
  const core::Tree& tree = work_.journal.tree();
  Job job;
  job.name = certifying_job(work_.journal.run(), number);
  job.task_folder = work_.context.settings.task_path;
  job.task = work_.context.task.hash;
  job.candidate = work_.nodes.candidate_of(*tree.node(number));
  if (seed != number) job.compare_with = work_.nodes.candidate_of(*tree.node(seed));
  job.depth = core::Depth::certify;
  job.call_seconds = work_.context.settings.time_limit;
  job.fresh = true;
  work_.doing("judge", fmt::format("certifies {} in a fresh process", node_name(number)));
  work_.jobs.submit(job, [this, number, seed, job, then = std::move(then)](const JobDone& done) {
    certified(number, seed, job, done, then);
  });
}

void Judging::certified(core::NodeId number, core::NodeId seed, const Job& job, const JobDone& done,
                        const std::function<void()>& then) {
  work_.doing("judge", "");
  if (done.state == JobDone::State::broken) return work_.job_failed(done);
  if (done.state != JobDone::State::done) return then();
  const JobResult& result = *done.result;
  if (is_undecided(result) && job.name == certifying_job(work_.journal.run(), number) &&
      !work_.cancelled) {
    Job second = job;
    second.name = again(job.name);
    return work_.jobs.submit(second, [this, number, seed, second, then](const JobDone& other) {
      certified(number, seed, second, other, then);
    });
  }
  work_.journal.append([&](store::Archive& archive) {
    const auto& device = result.device.name;
    core::Certified record{
        number,
        core::verdict_of(*result.evaluation,
                         store::record_evaluation(archive, *result.evaluation, device)),
        {}};
    if (result.comparison)
      record.compared = compared_with(seed, store::record_comparison(archive, *result.comparison),
                                      result.comparison);
    return record;
  });
  then();
}

}  // namespace hone::run
