#pragma once
// For tests only: models and judges that answer at once, and a run of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/json.h"
#include "run/job_test_task.h"
#include "run/journal.h"
#include "run/run.h"
#include "run/tune_job.h"

namespace hone::run {

// Answers every role; the time of a candidate stands in its source.
class Model : public llm::LlmClient {
 public:
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request& request,
                                           const llm::Cancel&) override {
    const std::lock_guard lock(mutex);
    asked.push_back(request.step);
    if (faults.contains(request.step))
      return base::Failure{llm::Fault{faults[request.step], "no", {}, {}}};
    llm::Reply reply;
    if (answers.contains(request.step)) {
      reply.text = answers[request.step];
    } else if (request.role == "selector") {
      reply.text = R"({"basis": 1, "reference": "none", "rationale": "why not"})";
    } else if (request.role == "designer") {
      core::Design design{std::vector<std::string>(10, "a"), {}, {}};
      for (int i = 0; i < 3; ++i)
        design.experiments.push_back({.description = "experiment " + std::to_string(i),
                                      .rubric = "r",
                                      .gain_low = 10,
                                      .gain_high = 20,
                                      .innovation = 50.0 - i});
      reply.text = base::json_line(design);
    } else if (request.role == "learner") {
      reply.text = R"({"findings": ["Shorter is faster."], "reports": []})";
    } else {
      reply.text = kernel("copy ns=" + std::to_string(2'000'000'000 + asked.size()));
    }
    return reply;
  }
  std::string name() const override { return "model"; }
  std::string price_name() const override { return ""; }

  static std::string kernel(const std::string& behaviour) {
    return "```\n" + fake_candidate(behaviour).source + "```\n## Report\nIt was written.\n";
  }
  int count(const std::string& step) const {
    return static_cast<int>(std::count(asked.begin(), asked.end(), step));
  }

  std::mutex mutex;
  std::map<std::string, std::string> answers;
  std::map<std::string, llm::FaultKind> faults;
  std::vector<std::string> asked;
};

// Accepts what copies, with the time that the source says; compares by these times. Or says that a
// job is away.
class FakeJudges : public Judges {
 public:
  FakeJudges(std::string task, JobCallback done, std::vector<std::string>& jobs,
             const std::map<std::string, JobDone::State>& states, bool away,
             std::vector<int>& tuned)
      : task_(std::move(task)),
        done_(std::move(done)),
        jobs_(jobs),
        states_(states),
        away_(away),
        tuned_(tuned) {}
  void submit(Job job) override {
    jobs_.push_back(job.name);
    const auto state = states_.find(job.name);
    if (state != states_.end() && state->second != JobDone::State::done)
      return done_({job.name, state->second, {}, "it is broken"});
    JobResult result;
    result.name = job.name;
    result.device.name = "judges";
    if (job.tune) tuned_.push_back(job.tune->most);
    if (job.candidate) result.evaluation = judge(*job.candidate, job.depth);
    if (job.tune && result.evaluation->geomean) tune(job, result);
    if (job.compare_with && result.evaluation->geomean)
      result.comparison = compare(*job.compare_with, *job.candidate);
    if (job.certify_if_faster && result.comparison &&
        result.comparison->word == core::Comparison::faster)
      result.certified = judge(*job.candidate, core::Depth::certify);
    done_({job.name, JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return away_; }
  bool certifies() const override { return true; }
  std::string describe() const override { return "fake judges"; }

 private:
  // A is the factor of its time.
  static double seconds_of(const core::Candidate& candidate) {
    const auto at = candidate.source.rfind("ns=");
    const core::Point point = core::default_point(candidate.plan);
    return (point.contains("A") ? static_cast<double>(point.at("A")) : 1) *
           (at == std::string::npos ? 1 : std::stod(candidate.source.substr(at + 3)) * 1e-9);
  }
  // Tries five points and finds A = 1.
  void tune(Job& job, JobResult& result) const {
    result.tuning.emplace();
    result.tuning->points = 5;
    result.tuning->before = *result.evaluation->geomean;
    result.tuning->ended = "every point was tried";
    result.tuning->point = {{"A", 1}};
    result.tuning->ratio = 0.5;
    const core::Candidate written = *job.candidate;
    job.candidate = with_defaults(written, result.tuning->point);
    result.as_written = result.evaluation;
    result.evaluation = judge(*job.candidate, job.depth);
    result.tuning->after = *result.evaluation->geomean;
    result.beside_default = compare(written, written);
  }
  core::Evaluation judge(const core::Candidate& candidate, core::Depth depth) const {
    core::Evaluation evaluation;
    evaluation.key = {candidate.hash, {}, task_, "judges", "1", "1", 1, depth, {}};
    evaluation.outcome = candidate.source.find("zeros") == std::string::npos
                             ? core::Outcome::accepted
                             : core::Outcome::wrong;
    if (evaluation.outcome == core::Outcome::accepted)
      evaluation.geomean = seconds_of(candidate);
    else
      evaluation.evidence.push_back({"tolerance", 0, true, "odd", "all of it is wrong"});
    return evaluation;
  }
  store::ComparisonRecord compare(const core::Candidate& a, const core::Candidate& b) const {
    store::ComparisonRecord record;
    record.task = task_;
    record.device = "judges";
    record.a.candidate = a.hash;
    record.b.candidate = b.hash;
    record.ratio = seconds_of(b) / seconds_of(a);
    record.interval = {record.ratio * 0.99, record.ratio * 1.01};
    record.word = record.ratio < 1 ? core::Comparison::faster : core::Comparison::slower;
    return record;
  }

  std::string task_;
  JobCallback done_;
  std::vector<std::string>& jobs_;
  const std::map<std::string, JobDone::State>& states_;
  bool away_;
  std::vector<int>& tuned_;
};

struct DriverTest : testing::Test {
  FakeTask place;
  store::Archive archive = store::Archive::open(place.path() / "archive.db");
  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::atomic<bool> cancelled{false};
  RunSettings settings;
  std::vector<std::string> jobs, said;
  std::vector<int> tuned;  // of each job with tuning: how many points it may measure
  std::map<std::string, JobDone::State> states;  // by the job's name without its run
  std::map<std::string, JobDone::State> named;
  bool away = false;
  std::string run_id;
  std::vector<RunStatus> statuses;

  DriverTest() {
    settings.task_path = place.task_folder();
    settings.device = "fake:1";
    settings.budget.candidates = 4;
    settings.stop_at_ceiling = 0;
    settings.feedback = "none";
    base::write_file_atomically(place.path() / "seed.fake",
                                fake_candidate("copy ns=1000000000").source);
    settings.seeds = {place.path() / "seed.fake"};
  }
  RunResult work() {
    RunWatcher watcher;
    watcher.say = [this](const std::string& text) { said.push_back(text); };
    watcher.update = [this](const RunStatus& status) { statuses.push_back(status); };
    core::DeviceInfo info;
    info.id = info.name = info.uuid = "judges";
    info.language = core::Language::fake;
    RoleModels models;
    for (const auto& role : role_names()) models[role] = {model, std::nullopt};
    const auto result =
        work_on({archive,
                 {place.task(), info, {}, settings, models},
                 [this](const std::string&, JobCallback done, const std::function<bool()>&) {
                   for (const auto& [job, state] : states) named[run_id + job] = state;
                   return std::make_unique<FakeJudges>(place.task().hash, std::move(done), jobs,
                                                       named, away, tuned);
                 },
                 watcher,
                 cancelled,
                 run_id});
    run_id = result.run;
    return result;
  }
  core::Tree tree() { return tree_of(archive, run_id); }
};

}  // namespace hone::run
