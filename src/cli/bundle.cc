// hone bundle pack, run, import. `run` watches over processes that do the work: one that crashes is started again and
// loses nothing but its job; a job that wants a process of its own gets one.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/device_file.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "run/bundle.h"
#include "run/fresh_process.h"
#include "text/evaluation_text.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace fs = std::filesystem;
namespace {

std::string counted(std::size_t count, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(count), singular);
}

using base::ExitCode;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int signalled = 128;  // exit codes from here on: a signal ended it

// In the process that does the work: it has no business without the one that watches it.
void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == 1) ::_exit(static_cast<int>(ExitCode::interrupted));
}

int do_the_work(const BundleRunCommand& command, const run::Bundle& bundle) {
  die_with_parent();
  run::BundleRunOptions options;
  options.device = command.device;
  options.max_minutes = command.max_minutes;
  options.only = command.only;
  options.judging.unsafe = command.unsafe;
  run::run_bundle(bundle, command.out, options);
  return 0;
}

class Watch {
 public:
  Watch(const BundleRunCommand& command, const run::Bundle& bundle)
      : command_(command), bundle_(bundle), progress_(command.json) {
    for (const auto& job : bundle.jobs)
      if (job.fresh) fresh_.push_back(job.name);
    state_ = run::bundle_state(bundle_, command_.out);
  }

  // What is left open when it returns, the time is up for.
  run::BundleState run() {
    say();
    while (wanted("") && time_is_left()) start("");
    for (const auto& name : fresh_)
      while (wanted(name) && time_is_left()) start(name);
    progress_.say("");
    return state_;
  }

 private:
  bool is_fresh(const std::string& name) const { return std::find(fresh_.begin(), fresh_.end(), name) != fresh_.end(); }
  bool wanted(const std::string& only) const {
    return std::any_of(state_.open.begin(), state_.open.end(),
                       [&](const std::string& name) { return only.empty() ? !is_fresh(name) : name == only; });
  }
  double minutes_left() const {
    return command_.max_minutes - std::chrono::duration<double>(Clock::now() - start_).count() / 60;
  }
  bool time_is_left() const { return command_.max_minutes <= 0 || minutes_left() > 0; }

  void start(const std::string& only) {
    std::vector<std::string> words;
    if (!base::resource_folder().empty()) words = {"--resources", base::resource_folder().string()};
    words.insert(words.end(), {"bundle", "run", "--inner", "-o", command_.out});
    if (!command_.device.empty()) words.insert(words.end(), {"--device", command_.device});
    if (command_.unsafe) words.push_back("--unsafe");
    if (command_.max_minutes > 0)
      words.insert(words.end(), {"--max-minutes", fmt::format("{}", std::max(minutes_left(), 1e-3))});
    if (!only.empty()) words.insert(words.end(), {"--only", only});
    words.insert(words.end(), {"--", command_.file});
    const std::size_t open_before = state_.open.size();
    const auto begun_before = state_.begun;
    const std::size_t screened_before = state_.screened;
    const auto finished = run::run_hone(words, [this] { return look(), false; });
    state_ = run::bundle_state(bundle_, command_.out);
    if (finished.code != 0 && finished.code < signalled)
      throw base::Error(static_cast<ExitCode>(finished.code), message_of(finished.err));
    if (finished.code >= signalled && state_.open.size() == open_before && state_.begun == begun_before &&
        state_.screened == screened_before)
      base::fail(ExitCode::environment, "a process of hone was ended by signal {} before it could begin a job: {}",
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
    const auto size = fs::file_size(command_.out, ec);
    if (ec || size == size_) return;
    size_ = size;
    state_ = run::bundle_state(bundle_, command_.out);
    say();
  }
  void say() { progress_.say(fmt::format("{} of {} jobs done", state_.done.size(), bundle_.jobs.size())); }

  const BundleRunCommand& command_;
  const run::Bundle& bundle_;
  Progress progress_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::string> fresh_;
  run::BundleState state_;
  std::uintmax_t size_ = 0;
};

}  // namespace

int bundle_pack(const BundlePackCommand& command) {
  const run::Packed packed = run::pack_bundle(command.folder, command.out);
  const std::string results = fs::path(command.out).filename().string() + ".results";
  const std::string there = fmt::format("hone bundle run {} -o {}", fs::path(command.out).filename().string(), results);
  const std::string here = fmt::format("hone bundle import {} {}", command.folder, results);
  if (command.json) {
    const json out = {{"bundle", packed.id}, {"jobs", packed.jobs}, {"tasks", packed.tasks}, {"bytes", packed.bytes},
                      {"file", command.out}, {"run", there},        {"import", here}};
    std::fputs(core::json_text(out).c_str(), stdout);
    return 0;
  }
  fmt::print("packed {} of {} into {} ({})\n", counted(packed.jobs, "job"), counted(packed.tasks, "task"),
             printable(command.out), format_bytes(static_cast<double>(packed.bytes)));
  fmt::print("carry it to the machine with the device, and there: {}\n", printable(there));
  fmt::print("carry the results back, and here: {}\n", printable(here));
  return 0;
}

int bundle_run(const BundleRunCommand& command) {
  const run::Bundle bundle = run::read_bundle(command.file);
  if (command.inner) return do_the_work(command, bundle);
  const run::BundleState state = Watch(command, bundle).run();
  if (command.json)
    std::fputs(
        core::json_text(
            {{"bundle", bundle.id}, {"results", command.out}, {"done", state.done.size()}, {"open", state.open.size()}})
            .c_str(),
        stdout);
  else if (state.open.empty())
    fmt::print("{} done, all results are in {}: carry it back and `hone bundle import DIR {}`\n",
               counted(state.done.size(), "job"), printable(command.out),
               printable(fs::path(command.out).filename().string()));
  else
    fmt::print("{} done, results are in {}; {} open: the same command goes on with them\n",
               counted(state.done.size(), "job"), printable(command.out), state.open.size());
  return static_cast<int>(state.open.empty() ? ExitCode::ok : ExitCode::unfinished);
}

int bundle_device(const BundleDeviceCommand& command) {
  Progress progress(command.json);
  DeviceFile device;
  device.info = device::find_device(command.device);
  device.ceilings = judge::ceilings_of(device.info, true, {command.unsafe, [&](const std::string& text) {
                                                             progress.step({text, {}, {}});
                                                           }});
  progress.step({});
  base::write_file_atomically(command.out, device_file_text(device));
  if (command.json) return print_written({command.out});
  fmt::print("{} is in {}: where the models are, hone run TASK --executor bundle:DIR --device {}\n",
             printable(device.info.name), printable(command.out), printable(fs::path(command.out).filename().string()));
  return 0;
}

int bundle_import(const BundleImportCommand& command) {
  const run::Imported imported = run::import_results(command.folder, command.file);
  if (command.json) {
    const json out = {{"imported", imported.fresh},
                      {"ignored", imported.known},
                      {"missing", imported.missing},
                      {"cut", imported.cut}};
    std::fputs(core::json_text(out).c_str(), stdout);
    return 0;
  }
  fmt::print("imported {}\n", counted(imported.fresh, "result"));
  if (imported.known > 0) fmt::print("ignored {} that were here already\n", imported.known);
  if (imported.missing > 0)
    fmt::print("no result yet for {} of the bundle: run the same bundle on, or pack again\n",
               counted(imported.missing, "job"));
  if (imported.cut) fmt::print("the file ends within a result, which was left out: was it copied whole?\n");
  if (imported.fresh > 0) fmt::print("`hone resume` goes on with the run\n");
  return 0;
}

}  // namespace hone::cli
