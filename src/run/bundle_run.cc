// Doing the work of a bundle: the side where the GPU is. See run/bundle.h.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "device/device.h"
#include "exec/bundle_folder.h"
#include "exec/records.h"
#include "judge/ceilings.h"
#include "run/bundle.h"
#include "run/bundle_files.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::run {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;
using base::Failure;
using exec::BundleRecord;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_jobs = 100'000;
constexpr double longest_call = 600;  // seconds: a stranger's job does not hold a GPU for a day

// Adds a task's files by name; only names that a task can have.
void read_task(const std::string& text, Bundle& bundle) {
  std::string hash;
  std::map<std::string, base::RawJson> files;
  base::read_json(text, [&](base::Fields& f) { f("hash", hash)("files", files); });
  auto& known = bundle.tasks[hash];
  known.clear();
  for (const auto& [name, content] : files)
    if (std::find(std::begin(task_files), std::end(task_files), name) != std::end(task_files))
      base::read_json(content.text, base::description_of(known[name]));
}

std::string problem_with(const Job& job, const Bundle& bundle) {
  if (!exec::is_job_name(job.name)) return "a job has no proper name";
  if (!(job.call_seconds > 0 && job.call_seconds <= longest_call))
    return fmt::format("job {} wants {} s for a call", job.name, job.call_seconds);
  if (!job.candidate) return job.probe ? "" : fmt::format("job {} has nothing to do", job.name);
  if (!bundle.tasks.contains(job.task)) return fmt::format("job {} has no task in it", job.name);
  if (language_of(job) == core::Language::external)
    return fmt::format("job {} is for an external evaluator", job.name);
  return "";
}

// A judge for the task at hand, kept from job to job so that pools are drawn once; and the devices.
class JobSite {
 public:
  JobSite(const Bundle& bundle, const BundleRunOptions& options)
      : bundle_(bundle), options_(options), folder_("hone-bundle") {}

  JobResult work(const Job& job) {
    const core::DeviceInfo& info = device_for(language_of(job));
    if (!job.candidate) return execute_probe(job, info, judging_for(job, info));
    return execute(at_this_place(job), judge_for(job), tools());
  }

  // The task's folder is another one here.
  Job at_this_place(const Job& job) {
    Job here = job;
    here.task_folder = folder_of(job.task);
    return here;
  }
  JobTools tools() const { return {options_.pass_on}; }

  judge::Judge& judge_for(const Job& job) { return judge_for(job, device_for(language_of(job))); }

  const core::DeviceInfo& device_for(core::Language language) {
    const std::string usual =
        language == core::Language::python ? "" : fmt::format("{}:0", core::name_of(language));
    const std::string id = options_.device.empty() ? usual : options_.device;
    const auto known = devices_.find(id);
    return known != devices_.end() ? known->second
                                   : devices_.emplace(id, device::find_device(id)).first->second;
  }

 private:
  judge::JudgeOptions judging_for(const Job& job, const core::DeviceInfo& info) {
    judge::JudgeOptions judging = options_.judging;
    judging.call_seconds = job.call_seconds;
    auto [ceilings, fresh] = ceilings_.try_emplace(info.id);
    if (fresh)
      ceilings->second = judge::ceilings_of(info, true, {judging.unsafe, judging.progress});
    judging.ceilings = ceilings->second;
    return judging;
  }

  judge::Judge& judge_for(const Job& job, const core::DeviceInfo& info) {
    const std::string wanted = fmt::format("{} {} {}", job.task, info.id, job.call_seconds);
    if (judge_ && wanted == serves_) return *judge_;
    judge_.reset();  // first: it holds the device's memory
    judge_ = std::make_unique<judge::Judge>(task_for(job.task), info, judging_for(job, info));
    serves_ = wanted;
    return *judge_;
  }

  fs::path folder_of(const std::string& hash) {
    const fs::path place = folder_.path() / std::to_string(tasks_.size());
    const auto [known, fresh] = tasks_.try_emplace(hash, place);
    if (fresh) {
      base::make_folder(place);
      for (const auto& [name, text] : bundle_.tasks.at(hash))
        base::write_file_atomically(place / name, text);
    }
    return known->second;
  }

  core::Task task_for(const std::string& hash) {
    auto task = task::load_task(folder_of(hash));
    if (!task)
      fail(ExitCode::bad_input, "the bundle's task: {}", task::render_with_sources(task.error()));
    if (task->hash != hash || task->external)
      fail(ExitCode::bad_input, "the bundle's task is not the one that its jobs were made for");
    return *std::move(task);
  }

  const Bundle& bundle_;
  const BundleRunOptions& options_;
  base::TemporaryFolder folder_;
  std::map<std::string, fs::path> tasks_;
  std::map<std::string, core::DeviceInfo> devices_;
  std::map<std::string, core::Ceilings> ceilings_;
  std::unique_ptr<judge::Judge> judge_;
  std::string serves_;
};

BundleState state_of(const Bundle& bundle, const std::vector<BundleRecord>& records) {
  BundleState state;
  std::set<std::string> done;
  for (const BundleRecord& record : records) {
    if (record.kind == "start") ++state.begun[record.body];
    if (record.kind == "screened")
      if (const auto result = result_from(record.body))
        ++state.screened, state.begun.erase(result->name);
    if (record.kind != "result") continue;
    if (const auto result = result_from(record.body)) done.insert(result->name);
  }
  for (const Job& job : bundle.jobs) {
    (done.contains(job.name) ? state.done : state.open).push_back(job.name);
    if (done.contains(job.name)) state.begun.erase(job.name);
  }
  return state;
}

// Jobs of one task lie together, so that one judge at a time is enough; otherwise as they were
// packed.
std::vector<const Job*> in_order(const Bundle& bundle) {
  std::map<std::string, std::size_t> first;
  std::vector<const Job*> jobs;
  for (const Job& job : bundle.jobs) {
    first.try_emplace(job.task, first.size());
    jobs.push_back(&job);
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [&](const Job* a, const Job* b) { return first[a->task] < first[b->task]; });
  return jobs;
}

JobResult dropped(const Job& job, const core::DeviceInfo& info, int attempts) {
  JobResult result;
  result.name = job.name;
  result.device = info;
  result.error =
      fmt::format("hone itself was ended {} times while it worked on this job", attempts);
  return result;
}

// One line for people.
std::string summary(const JobResult& result) {
  if (!result.error.empty()) return fmt::format("{}: not done: {}", result.name, result.error);
  std::string text = result.name + ":";
  if (result.evaluation) {
    text += fmt::format(" {}", core::name_of(result.evaluation->outcome));
    if (result.evaluation->geomean)
      text += fmt::format(" {:.4g} ms", 1e3 * *result.evaluation->geomean);
  }
  if (result.comparison)
    text += "; " + core::sentence(result.comparison->word, "it", "the incumbent");
  if (result.profile)
    text +=
        fmt::format(" explained: {}, {} pieces of advice",
                    core::name_of(result.profile->diagnosis.bound), result.profile->advice.size());
  if (!result.not_profiled.empty()) text += " not explained: " + result.not_profiled;
  if (result.probe) text += fmt::format(" {} numbers", result.probe->numbers.size());
  if (result.probe_failure)
    text += fmt::format(" probe {}", core::name_of(result.probe_failure->outcome));
  return text + fmt::format(" ({:.1f} s)", result.seconds);
}

void require_same_bundle(const std::vector<BundleRecord>& records, const Bundle& bundle,
                         const fs::path& results) {
  if (!records.empty() && bundle_of(records.front()) != bundle.id)
    fail(ExitCode::bad_input, "{}: it holds results of another bundle: write to another file",
         results.string());
}

// Goes through the open jobs, and writes down each step that was paid for.
class BundleRun {
 public:
  BundleRun(const Bundle& bundle, const fs::path& results, const BundleRunOptions& options)
      : options_(options), log_(results, results_kind, results_format), site_(bundle, options) {
    const auto& records = log_.records().all;
    require_same_bundle(records, bundle, results);
    state_ = state_of(bundle, records);
    std::map<std::string, const Job*> by_name;
    for (const Job& job : bundle.jobs) by_name[job.name] = &job;
    for (const BundleRecord& record : records) {
      if (record.kind != "screened" && record.kind != "result") continue;
      auto result = result_from(record.body);
      if (!result || !by_name.contains(result->name)) continue;
      const Job& job = *by_name[result->name];
      if (record.kind == "screened" && result->evaluation)
        screened_[job.name] = *std::move(result);
      else if (record.kind == "result" && result->evaluation && in_two_steps(job))
        note_certified(*result, certified_[contest(job)]);
    }
    if (records.empty()) {
      const BundleRecord head = head_for(bundle.id);
      log_.append(head.kind, head.body);
    }
    const std::set<std::string> open(state_.open.begin(), state_.open.end());
    for (const Job* job : in_order(bundle))
      if (open.contains(job->name) && (options.only.empty() || job->name == options.only) &&
          !(job->fresh && options.leave_fresh && options.only.empty()))
        jobs_.push_back(job);
  }

  void run() {
    std::set<const Job*> done;
    for (const Job* job : jobs_) {
      if (done.contains(job)) continue;
      if (time_is_up()) return;
      if (!in_two_steps(*job)) {
        finish(attempt(*job, [&] { return site_.work(*job); }));
        continue;
      }
      std::vector<const Job*> rivals;
      for (const Job* other : jobs_)
        if (rivals_of(*job, *other)) rivals.push_back(other);
      if (!decide(rivals)) return;
      done.insert(rivals.begin(), rivals.end());
    }
  }

 private:
  // Jobs with the same contest are rivals.
  static std::string contest(const Job& job) {
    return fmt::format("{} {} {} {} {} {}", job.rivals, job.task, core::name_of(language_of(job)),
                       job.call_seconds, job.case_name, job.compare_with->source);
  }
  static bool rivals_of(const Job& a, const Job& b) {
    return in_two_steps(b) && contest(a) == contest(b);
  }
  bool time_is_up() const {
    return options_.max_minutes > 0 &&
           Clock::now() - start_ > std::chrono::duration<double>(60 * options_.max_minutes);
  }

  // False: the time was up before the end.
  bool decide(const std::vector<const Job*>& rivals) {
    std::vector<const Job*> accepted;
    for (const Job* job : rivals) {
      if (!screened_.contains(job->name)) {
        if (time_is_up()) return false;
        JobResult result = attempt(*job, [&] { return screen(*job, site_.judge_for(*job)); });
        if (!result.evaluation || result.evaluation->outcome != core::Outcome::accepted) {
          finish(result);
          continue;
        }
        log_.append("screened", to_text(result));
        state_.begun.erase(job->name);
        screened_[job->name] = std::move(result);
      }
      accepted.push_back(job);
    }
    const auto seconds = [&](const Job* job) {
      return screened_.at(job->name).evaluation->geomean.value_or(INFINITY);
    };
    std::stable_sort(accepted.begin(), accepted.end(),
                     [&](const Job* a, const Job* b) { return seconds(a) < seconds(b); });
    for (const Job* job : accepted) {
      if (time_is_up()) return false;
      const JobResult& before = screened_.at(job->name);
      double& certified = certified_[contest(*job)];
      JobResult result = attempt(*job, [&] {
        JobResult settled = before;
        follow_up(site_.at_this_place(*job), certified, site_.judge_for(*job), site_.tools(),
                  settled);
        return settled;
      });
      if (!result.error.empty()) {  // the verdict stands
        const std::string why = result.error;
        result = before;
        result.not_compared = result.not_profiled = why;
      }
      note_certified(result, certified);
      finish(result);
    }
    return true;
  }

  template <typename Step>
  JobResult attempt(const Job& job, Step step) {
    const core::DeviceInfo& info =
        site_.device_for(language_of(job));  // none at all: said of the whole
    if (const int attempts = state_.begun[job.name]; attempts >= most_attempts)
      return dropped(job, info, attempts);
    log_.append("start", job.name);
    try {
      return step();
    } catch (
        const base::Error& error) {  // a task that does not load, say: it costs its own jobs only
      JobResult result;
      result.name = job.name;
      result.device = info;
      result.error = error.what();
      return result;
    }
  }

  static void note_certified(const JobResult& result, double& certified) {
    if (!result.certified || result.certified->outcome != core::Outcome::accepted ||
        !result.evaluation->geomean)
      return;
    if (certified == 0 || *result.evaluation->geomean < certified)
      certified = *result.evaluation->geomean;
  }

  void finish(const JobResult& result) {
    log_.append("result", to_text(result));
    options_.say(summary(result));
  }

  const Clock::time_point start_ = Clock::now();
  const BundleRunOptions& options_;
  exec::RecordLog log_;
  JobSite site_;
  BundleState state_;
  std::map<std::string, JobResult> screened_;  // by job: the first of two steps is done
  std::map<std::string, double>
      certified_;  // by contest: seconds of the one that beat the incumbent; 0: none yet
  std::vector<const Job*> jobs_;
};

}  // namespace

exec::BundleRecord head_for(const std::string& bundle) {
  return {"head", base::json_line([&](base::Fields& f) { f("bundle", bundle); })};
}

std::string bundle_of(const exec::BundleRecord& head) {
  return head.kind == "head" ? base::text_field(head.body, "bundle") : "";
}

base::Result<Bundle> parse_bundle(std::string_view bytes) {
  auto records = exec::parse_records(bytes, bundle_kind, bundle_format);
  if (!records) return Failure{records.error()};
  if (records->cut || records->all.empty() || records->all.back().kind != "end")
    return Failure{std::string("it ends too early: it was not copied whole")};
  Bundle bundle;
  bundle.id = records->hash;
  std::set<std::string> names;
  try {
    for (const BundleRecord& record : records->all) {
      if (record.kind == "task") {
        read_task(record.body, bundle);
      } else if (record.kind == "job") {
        auto job = job_from(record.body);
        if (!job) return Failure{job.error()};
        bundle.jobs.push_back(*std::move(job));
        if (!names.insert(bundle.jobs.back().name).second)
          return Failure{std::string("two of its jobs have one name")};
      }
    }
  } catch (const base::Error& error) {
    return Failure{fmt::format("a task in it makes no sense: {}", error.what())};
  }
  if (bundle.jobs.size() > most_jobs)
    return Failure{fmt::format("it has more than {} jobs", most_jobs)};
  for (const Job& job : bundle.jobs)
    if (auto problem = problem_with(job, bundle); !problem.empty())
      return Failure{std::move(problem)};
  return bundle;
}

Bundle read_bundle(const fs::path& file) {
  auto bundle = parse_bundle(base::read_file(file, exec::largest_record_file));
  if (!bundle) fail(ExitCode::bad_input, "{}: {}", file.string(), bundle.error());
  return *std::move(bundle);
}

BundleState bundle_state(const Bundle& bundle, const fs::path& results) {
  std::error_code ec;
  if (!fs::exists(results, ec)) return state_of(bundle, {});
  const auto records = exec::read_records(results, results_kind, results_format);
  if (!records)
    fail(ExitCode::bad_input, "{}: {}; move it away, or write to another file", results.string(),
         records.error());
  require_same_bundle(records->all, bundle, results);
  return state_of(bundle, records->all);
}

void run_bundle(const Bundle& bundle, const fs::path& results, const BundleRunOptions& options) {
  BundleRun(bundle, results, options).run();
}

}  // namespace hone::run
