// Measures the loop of a run alone: models that answer immediately, judges that take no time, and a
// real archive. The remaining time is deciding, prompting, parsing and recording.
//   hone_bench_loop TASK CANDIDATES     the task folder must contain seed.cl
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "app/inputs.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/progress.h"
#include "llm/prices.h"
#include "run/run.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

// Answers every role with a usable answer; each candidate is the seed with a different comment.
class Parrot : public llm::LlmClient {
 public:
  explicit Parrot(std::string seed) : seed_(std::move(seed)) {}
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request& request,
                                           const llm::Cancel&) override {
    llm::Reply reply;
    {
      const std::lock_guard lock(mutex_);
      bytes_[request.role].first +=
          static_cast<double>(llm::render(request.prompt).size() + request.prompt.system.size());
      ++bytes_[request.role].second;
    }
    core::Design design{std::vector<std::string>(10, "an avenue"), {}, {}};
    for (int i = 0; i < 5; ++i)
      design.experiments.push_back({.description = "Try another comment.",
                                    .rubric = "It differs.",
                                    .gain_low = 1.0 * i,
                                    .gain_high = 10.0 + i,
                                    .innovation = 10.0 * i});
    if (request.role == "selector")
      reply.arguments = R"({"basis": 1, "reference": 0, "rationale": "why not"})";
    else if (request.role == "designer")
      reply.arguments = base::json_line(design);
    else if (request.role == "learner")
      reply.arguments = R"({"findings": ["Comments cost nothing."], "reports": []})";
    else
      reply.text =
          "```\n" + seed_ + "\n// " + request.step + "\n```\n## Report\nA comment was added.\n";
    return reply;
  }
  std::string name() const override { return "parrot"; }
  std::string price_name() const override { return ""; }
  void print() const {
    for (const auto& [role, sum] : bytes_)
      std::printf("  %-9s %4.0f calls, prompts of %.0f bytes, about %.0f tokens\n", role.c_str(),
                  sum.second, sum.first / sum.second, sum.first / sum.second / 4);
  }

 private:
  std::string seed_;
  std::mutex mutex_;
  std::map<std::string, std::pair<double, double>> bytes_;
};

class Instant : public run::Judges {
 public:
  Instant(const core::Task& task, run::JobCallback done) : task_(task), done_(std::move(done)) {}
  void submit(run::Job job) override {
    run::JobResult result;
    result.name = job.name;
    result.device.name = "nothing";
    result.evaluation = accepted(job.candidate->hash);
    done_({job.name, run::JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return false; }
  bool certifies() const override { return false; }
  std::string describe() const override { return "nothing"; }

 private:
  core::Evaluation accepted(const std::string& candidate) const {
    core::Evaluation evaluation;
    evaluation.key = {candidate, {}, task_.hash, "nothing", "1", "1", 1, core::Depth::screen, {}};
    evaluation.outcome = core::Outcome::accepted;
    evaluation.geomean = 1e-3;
    for (const auto& which : task_.cases) {
      core::CaseResult result{.name = which.name, .timed = which.timed};
      result.samples.assign(100, 1e-3);
      result.wall_samples = result.samples;
      result.median = 1e-3;
      result.interval = {0.99e-3, 1.01e-3};
      evaluation.cases.push_back(result);
    }
    return evaluation;
  }

  const core::Task& task_;
  run::JobCallback done_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: hone_bench_loop TASK CANDIDATES\n"), 2;
  try {
    cli::Progress progress(true);
    const core::Task task = app::task_from(argv[1], progress);
    const base::TemporaryFolder folder("hone-bench");
    auto archive = store::Archive::open(folder.path() / "archive.db");
    const auto parrot = std::make_shared<Parrot>(task.seed_cl.value());
    run::RunSettings settings;
    settings.task_path = argv[1];
    settings.budget.candidates = std::atoi(argv[2]);
    settings.stop_after_flat = 0;
    core::DeviceInfo info;
    info.id = info.name = info.uuid = "nothing";
    info.is_cpu = true;
    run::RoleModels models;
    for (const auto& role : run::role_names()) models[role] = {parrot, std::nullopt};
    const auto judges = [&](run::JobCallback done, const std::function<bool()>&) {
      return std::make_unique<Instant>(task, std::move(done));
    };
    const std::atomic<bool> never{false};
    const auto start = Clock::now();
    const auto result =
        run::work_on({archive, {task, info, {}, settings, models}, judges, {}, never, ""});
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%s: %d candidates in %.3f s, %.1f ms a candidate (%s)\n", task.name.c_str(),
                settings.budget.candidates, seconds, 1000 * seconds / settings.budget.candidates,
                result.stopped.c_str());
    parrot->print();
    return 0;
  } catch (const base::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
