#include "app/bundle.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "app/device_file.h"
#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/resources.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "run/fresh_process.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using Clock = std::chrono::steady_clock;

constexpr int signalled = 128;  // exit codes from here on: a signal ended it

// In a process that does the work: without the one that waits for it, it is of no use.
void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == 1) ::_exit(static_cast<int>(ExitCode::interrupted));
}

std::vector<std::string> options_of_resources() {
  if (base::resource_folder().empty()) return {};
  return {"--resources", base::resource_folder().string()};
}

void do_the_work(const BundleRunRequest& request, const run::Bundle& bundle) {
  die_with_parent();
  run::BundleRunOptions options;
  options.device = request.device;
  options.max_minutes = request.max_minutes;
  options.only = request.only;
  options.judging.unsafe = request.unsafe;
  options.pass_on = options_of_resources();
  run::run_bundle(bundle, request.out, options);
}

// Watches over the processes that do the work, and starts another where one crashed.
class Watch {
 public:
  Watch(const BundleRunRequest& request, const run::Bundle& bundle, Sink& sink)
      : request_(request), bundle_(bundle), sink_(sink) {
    for (const auto& job : bundle.jobs)
      if (job.fresh) fresh_.push_back(job.name);
    state_ = run::bundle_state(bundle_, request_.out);
  }

  // Jobs that are open when it returns had no time left.
  run::BundleState run() {
    say();
    while (wanted("") && goes_on()) start("");
    for (const auto& name : fresh_)
      while (wanted(name) && goes_on()) start(name);
    sink_.step({});
    return state_;
  }

 private:
  bool is_fresh(const std::string& name) const {
    return std::find(fresh_.begin(), fresh_.end(), name) != fresh_.end();
  }
  bool wanted(const std::string& only) const {
    return std::any_of(state_.open.begin(), state_.open.end(), [&](const std::string& name) {
      return only.empty() ? !is_fresh(name) : name == only;
    });
  }
  double minutes_left() const {
    return request_.max_minutes - std::chrono::duration<double>(Clock::now() - start_).count() / 60;
  }
  bool goes_on() const { return !sink_.cancelled() && time_is_left(); }
  bool time_is_left() const { return request_.max_minutes <= 0 || minutes_left() > 0; }

  void start(const std::string& only) {
    std::vector<std::string> words;
    if (!base::resource_folder().empty()) words = {"--resources", base::resource_folder().string()};
    words.insert(words.end(), {"bundle", "run", "--inner", "-o", request_.out});
    if (!request_.device.empty()) words.insert(words.end(), {"--device", request_.device});
    if (request_.unsafe) words.push_back("--unsafe");
    if (request_.max_minutes > 0)
      words.insert(words.end(),
                   {"--max-minutes", fmt::format("{}", std::max(minutes_left(), 1e-3))});
    if (!only.empty()) words.insert(words.end(), {"--only", only});
    words.insert(words.end(), {"--", request_.file});
    const std::size_t open_before = state_.open.size();
    const auto begun_before = state_.begun;
    const std::size_t screened_before = state_.screened;
    const auto finished = run::run_hone(words, [this] { return look(), sink_.cancelled().load(); });
    state_ = run::bundle_state(bundle_, request_.out);
    if (sink_.cancelled()) return;
    if (finished.code != 0 && finished.code < signalled)
      throw base::Error(static_cast<ExitCode>(finished.code), message_of(finished.err));
    if (finished.code >= signalled && state_.open.size() == open_before &&
        state_.begun == begun_before && state_.screened == screened_before)
      base::fail(ExitCode::environment,
                 "a process of hone was ended by signal {} before it could begin a job: {}",
                 finished.code - signalled, message_of(finished.err));
    say();
  }

  // Without the "hone: " that will be put in front again.
  static std::string message_of(std::string text) {
    const auto at = text.rfind("hone: ");
    if (at != std::string::npos) text.erase(0, at + 6);
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

  // Called many times a second: the file is only read when it has grown.
  void look() {
    std::error_code ec;
    const auto size = fs::file_size(request_.out, ec);
    if (ec || size == size_) return;
    size_ = size;
    state_ = run::bundle_state(bundle_, request_.out);
    say();
  }
  void say() {
    const auto done = static_cast<double>(state_.done.size()),
               all = static_cast<double>(bundle_.jobs.size());
    sink_.step({fmt::format("{} of {} jobs done", state_.done.size(), bundle_.jobs.size()),
                all > 0 ? std::optional(done / all) : std::nullopt,
                {}});
  }

  const BundleRunRequest& request_;
  const run::Bundle& bundle_;
  Sink& sink_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::string> fresh_;
  run::BundleState state_;
  std::uintmax_t size_ = 0;
};

}  // namespace

BundlePackResult pack_bundle(const BundlePackRequest& request) {
  const std::string file = fs::path(request.out).filename().string();
  BundlePackResult result{run::pack_bundle(request.folder, request.out), request.out, "", ""};
  result.run_there = fmt::format("hone bundle run {0} -o {0}.results", file);
  result.import_here = fmt::format("hone bundle import {} {}.results", request.folder, file);
  return result;
}

void describe(base::Fields& f, const BundlePackResult& result) {
  f("bundle", result.packed.id)("jobs", result.packed.jobs)("tasks", result.packed.tasks);
  f("bytes", result.packed.bytes)("file", result.file)("run", result.run_there);
  f("import", result.import_here);
}

BundleRunResult run_bundle(const BundleRunRequest& request, Sink& sink) {
  const run::Bundle bundle = run::read_bundle(request.file);
  if (request.inner) {
    do_the_work(request, bundle);
    return {bundle.id, request.out, 0, 0};
  }
  const run::BundleState state = Watch(request, bundle, sink).run();
  return {bundle.id, request.out, state.done.size(), state.open.size()};
}

void describe(base::Fields& f, const BundleRunResult& result) {
  f("bundle", result.bundle)("results", result.results)("done", result.done)("open", result.open);
}

BundleDeviceResult describe_device(const BundleDeviceRequest& request, Sink& sink) {
  DeviceFile device;
  device.info = device::find_device(request.device);
  device.ceilings = judge::ceilings_of(device.info, true, {request.unsafe, steps_to(sink)});
  sink.step({});
  base::write_file_atomically(request.out, device_file_text(device));
  return {device.info.name, {request.out}};
}

void describe(base::Fields& f, const BundleDeviceResult& result) { f("written", result.written); }

run::Imported import_bundle(const BundleImportRequest& request) {
  return run::import_results(request.folder, request.file);
}

std::string do_job(const CommonOptions& place, const std::string& text) {
  die_with_parent();
  const auto job = run::job_from(text);
  if (!job) base::fail(ExitCode::bad_input, "{}", job.error());
  const core::DeviceInfo info = device::find_device(place.device);
  judge::JudgeOptions judging;
  judging.unsafe = place.unsafe;
  judging.call_seconds = job->call_seconds;
  judging.ceilings = judge::ceilings_of(info, true, {place.unsafe});
  if (!job->candidate) return to_text(run::execute_probe(*job, info, judging));
  auto task = task::load_task(job->task_folder);
  if (!task) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(task.error()));
  judge::Judge judge(*task, info, judging);
  return to_text(run::execute(*job, judge, {options_of_resources()}));
}

}  // namespace hone::app
