#include "judge/diagnose.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/fd.h"
#include "base/files.h"
#include "device/ptx_traits.h"
#include "device/tools.h"
#include "judge/candidate_trial.h"
#include "judge/checker_log.h"
#include "judge/lease.h"
#include "judge/sanitize.h"
#include "judge/since.h"
#include "runner/inspect.h"
#include "runner/reference_limit.h"

namespace hone::judge {
namespace {

namespace fs = std::filesystem;
using core::Outcome;

constexpr double hang_seconds = 2,
                 dump_seconds = 5;  // a call that takes longer hangs; writing the device's state
constexpr double least_for_a_checker = 2.5;        // one starts in about that
constexpr std::uint64_t largest_dump = 60u << 20;  // the registers of a whole H200 are 33 MiB

// Asks the driver for a dump of a kernel that does not end, unless the call ends first.
class HangWatch {
 public:
  HangWatch(std::string pipe, double seconds)
      : thread_([this, pipe = std::move(pipe), seconds] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return over_; }))
            return;
          const base::Fd fd(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
          if (fd) [[maybe_unused]]
            const auto written = ::write(fd.get(), "1", 1);
        }) {}
  ~HangWatch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

// Errors that only a kernel that runs can bring about, whether the driver writes a dump or not.
bool is_of_the_device(const std::string& text) {
  constexpr const char* errors[] = {
      "CUDA_ERROR_LAUNCH_FAILED",        "CUDA_ERROR_ILLEGAL_ADDRESS",
      "CUDA_ERROR_MISALIGNED_ADDRESS",   "CUDA_ERROR_ILLEGAL_INSTRUCTION",
      "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_INVALID_PC",
      "CUDA_ERROR_INVALID_ADDRESS_SPACE"};
  return std::any_of(std::begin(errors), std::end(errors),
                     [&](const char* error) { return text.find(error) != std::string::npos; });
}

class Diagnosis {
 public:
  Diagnosis(Judge& judge, const Ready& ready, const Failed& failed, Outcome outcome)
      : judge_(judge),
        ready_(ready),
        which_(*failed.which),
        outcome_(outcome),
        source_{ready.candidate.name, ready.candidate.source} {
    add_text(call_text(failed.calls_before));
  }

  std::string run() {
    bool goes_on = true;
    if (outcome_ != Outcome::wrong) goes_on = run_alone();
    const std::string missing = why_not_checked(judge_, ready_.candidate);
    if (goes_on && !missing.empty()) add_text("No checker has looked at it: " + missing);
    for (const auto& tool : missing.empty() ? checkers_for(outcome_) : std::vector<std::string>{})
      if (goes_on && used_ + least_for_a_checker < diagnosis_seconds) goes_on = run_under(tool);
    // No checker models them, so what is often wrong with them is said.
    if (goes_on && has_mbarriers_)
      add_text(
          "The kernel waits on mbarriers, which no checker models. Compare, for each barrier, the "
          "parity of the waits with its own count of completed phases (a slot of a ring of S "
          "stages changes its parity every S tiles, not every tile), the expected bytes with what "
          "the copies bring, and the arrivals with the count it was initialised with");
    return text_;
  }
  double seconds() const { return used_; }

 private:
  void add_text(const std::string& text) {
    if (!text.empty())
      text_ += (text_.empty() ? "" : " ") + text + (text.ends_with(".") ? "" : ".");
  }

  // Without tools; the driver dumps the device's state. False: it fails before anything runs, and
  // has said why.
  bool run_alone() {
    const base::TemporaryFolder folder("hone-dump");
    const fs::path dump = folder.path() / "dump", pipe = folder.path() / "pipe";
    auto options = runner::runner_options(judge_.info(), judge_.options().unsafe);
    options.sandbox.isolation =
        runner::Isolation::limits;  // the dump is written where the judge can read it
    options.sandbox.environment = {
        "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1",
        "CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1",
        "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0",
        "CUDA_COREDUMP_SHOW_PROGRESS=0",
        "CUDA_COREDUMP_FILE=" + dump.string(),
        "CUDA_COREDUMP_PIPE=" + pipe.string(),
        "CUDA_COREDUMP_GENERATION_FLAGS=skip_nonrelocated_elf_images,skip_global_memory,skip_"
        "shared_memory,skip_local_memory,skip_constbank_memory,skip_abort"};
    auto loaded = load_checked(judge_, ready_.candidate, ready_.point,
                               std::make_unique<runner::Runner>(judge_.info(), options));
    if (!loaded) return add_text("It could not be loaded again: " + loaded.error().text), false;
    has_mbarriers_ = device::has_trait(loaded->traits, device::trait::mbarriers);
    auto plan = fitted_plan(judge_, *loaded, which_);
    if (!plan) return false;
    std::string failure;
    bool prepared = false;
    {
      const Lease lease(judge_.info(), judge_.options().progress, judge_.options().deadline);
      const auto start = Clock::now();
      auto trial = make_trial(judge_, *loaded, which_, *std::move(plan), 1);
      if (!trial) return add_text(trial.error().text), false;
      const HangWatch watch(pipe, hang_seconds);
      CallOptions call = usual_call(judge_);
      call.flush = false;
      call.private_memory = call.one_by_one = true;
      call.seconds = hang_seconds + dump_seconds;
      const auto called = (*trial)->call(*(*trial)->known().front(), call);
      prepared = called || called.error().guard != Guard::launch_errors || fs::exists(dump) ||
                 is_of_the_device(called.error().text);
      if (!called) failure = called.error().text;
      loaded->runner->kill();
      used_ += since(start);
    }
    if (failure.empty()) return add_text("Once more, launch by launch, it did not fail"), true;
    add_text("Launch by launch: " + failure);
    if (!prepared && outcome_ == Outcome::launch_failed) return false;
    read_the_dump(dump);
    return true;
  }

  void read_the_dump(const fs::path& dump) {
    const std::string gdb = device::find_tool("cuda-gdb");
    if (!fs::exists(dump)) return add_text("The driver wrote no dump of the device");
    if (gdb.empty())
      return add_text(
          "The device's dump was not read: cuda-gdb was not found (it comes with the CUDA "
          "toolkit)");
    if (fs::file_size(dump) > largest_dump)
      return add_text(
          fmt::format("The device's dump was not read: it has {} MiB", fs::file_size(dump) >> 20));
    runner::Inspection inspection{gdb, {}, base::read_file(dump, largest_dump)};
    inspection.arguments = {"-nx", "-batch", "-ex", "target cudacore {}",
                            "-ex", "bt 1",   "-ex", "info cuda threads"};
    const auto said = runner::inspect(inspection);
    if (!said) return add_text("The device's dump was not read: " + said.error());
    const std::string text = to_text(read_dump(*said, source_.name), source_);
    add_text(text.empty() ? "The device's dump names no place" : "The device's dump: " + text);
  }

  // True: it is worth going on.
  bool run_under(const std::string& tool) {
    judge_.options().progress(fmt::format("diagnosis: {} on case {}", tool, which_.name));
    auto loaded = load_checked(judge_, ready_.candidate, ready_.point, start_under(tool, judge_));
    if (!loaded)
      return add_text(fmt::format("{} did not run: {}", tool, loaded.error().text)), true;
    const auto checked =
        call_checked(judge_, *loaded, which_, std::max(1.0, diagnosis_seconds - used_ - 1));
    if (!checked) return true;
    used_ += checked->seconds;
    const CheckerReport& report = checked->report;
    if (!report.errors.empty())
      return add_text(fmt::format("{} says: {}", tool, report.errors)), false;
    if (report.complete)
      add_text(fmt::format("{} finds nothing", tool));
    else
      add_text(fmt::format("{} did not get to its end in {:.0f} s{}{}", tool, checked->seconds,
                           report.broken.empty() ? "" : ": ", report.broken));
    has_mbarriers_ = has_mbarriers_ || device::has_trait(loaded->traits, device::trait::mbarriers);
    return true;
  }

  Judge& judge_;
  const Ready& ready_;
  const core::Case& which_;
  Outcome outcome_;
  SourceView source_;
  std::string text_;
  bool has_mbarriers_ = false;
  double used_ = 0;  // seconds of the device
};

bool is_diagnosed(Outcome outcome) {
  return outcome == Outcome::wrong || outcome == Outcome::launch_failed ||
         outcome == Outcome::timed_out || outcome == Outcome::crashed;
}

}  // namespace

std::vector<std::string> checkers_for(Outcome outcome) {
  if (outcome == Outcome::wrong) return {"memcheck", "initcheck", "racecheck", "synccheck"};
  if (outcome == Outcome::timed_out)
    return {};  // under a checker it hangs as well, and the checker says nothing
  return {"memcheck", "synccheck"};
}

std::string call_text(int calls_before) {
  if (calls_before == Failed::not_known) return "";
  if (calls_before == 0) return "It was the first call on this case.";
  return fmt::format(
      "It was call {} on this case; {} before it {} right, so look at what the calls before or the "
      "moment may decide: barrier phases, scratch, order.",
      calls_before + 1, calls_before == 1 ? "the one" : fmt::format("the {}", calls_before),
      calls_before == 1 ? "was" : "were");
}

void diagnose(Judge& judge, const Ready& ready, const Failed& failed,
              core::Evaluation& evaluation) {
  if (failed.which == nullptr || !is_diagnosed(evaluation.outcome)) return;
  if (judge.info().language != core::Language::cuda ||
      ready.candidate.language != core::Language::cuda)
    return;
  const auto add_label = [&](const std::string& text) {
    add(evaluation, in_case(failed.which->name, label(Guard::diagnosis, text)));
  };
  if (core::has_operations(ready.candidate.plan))
    return add_label(call_text(failed.calls_before) +
                     (failed.calls_before == Failed::not_known ? "" : " ") +
                     "There is no further diagnosis: its plan has operations of a library.");
  judge.options().progress("diagnosis");
  try {
    Diagnosis diagnosis(judge, ready, failed, evaluation.outcome);
    const std::string text = diagnosis.run();
    add_metric(evaluation, "seconds.diagnosis", "s", diagnosis.seconds(), failed.which->name);
    add_label(text);
  } catch (const runner::TooSlow&) {  // the time for everything was up
    throw;
  } catch (const base::Error&
               error) {  // a runner that cannot be started costs the diagnosis, not the verdict
    add_label(fmt::format("There is no diagnosis: {}.", error.what()));
  }
}

}  // namespace hone::judge
