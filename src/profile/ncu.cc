#include "profile/ncu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>

#include "base/command.h"
#include "base/error.h"
#include "device/tools.h"
#include "profile/line_map.h"
#include "profile/ncu_metrics.h"

namespace hone::profile {
namespace {

namespace fs = std::filesystem;

// A launch is replayed some thirty times, with memory put back in between; the first call also
// waits for the device.
constexpr double first_call_seconds = 120, replays = 100, finish_seconds = 120;
constexpr auto import_limit = std::chrono::seconds(120);
constexpr std::size_t most_import = 256u << 20;
constexpr std::uint64_t most_log = 256u << 20;
constexpr std::size_t most_words = 600;

// Its own stock of sections, not a copy in a user's home; and lock files where no other user's
// can stand in the way.
std::vector<std::string> ncu_environment(const fs::path& folder) {
  return {"NV_COMPUTE_PROFILER_DISABLE_STOCK_FILE_DEPLOYMENT=1", "TMPDIR=" + folder.string()};
}

std::string shell_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string plain_name(const std::string& kernel) { return kernel.substr(0, kernel.find('(')); }

std::string kernel_of(const core::ResolvedPlan& plan, int launch) {
  for (const auto& one : plan.launches)
    if (one.plan_index == launch) return one.kernel;
  return "";
}

// Results come in the order of the launches; one that is missing must not shift the others.
template <typename Read>
std::vector<const Read*> matched(const std::vector<Read>& results, const core::ResolvedPlan& plan,
                                 const std::vector<int>& launches) {
  std::vector<const Read*> found;
  std::size_t next = 0;
  for (const int launch : launches) {
    const std::string kernel = kernel_of(plan, launch);
    const auto at = std::find_if(results.begin() + static_cast<std::ptrdiff_t>(next), results.end(),
                                 [&](const Read& one) { return plain_name(one.kernel) == kernel; });
    found.push_back(at == results.end() ? nullptr : &*at);
    if (at != results.end()) next = static_cast<std::size_t>(at - results.begin()) + 1;
  }
  return found;
}

}  // namespace

std::vector<std::string> ncu_command(const std::string& program, const std::string& folder,
                                     bool source) {
  std::vector<std::string> words = {
      program,
      "--target-processes",
      "all",
      "--profile-from-start",  // only between the runner's marks
      "off",
      "--clock-control",  // as the judge times: at the clocks that the device chooses
      "none",
      "--log-file",
      folder + "/log.txt",
      "--metrics",
      fmt::format("{}", fmt::join(ncu_metric_names(), ","))};
  if (source)
    words.insert(words.end(), {"--section", "SourceCounters", "-f", "-o", folder + "/report"});
  else
    words.insert(words.end(), {"--csv", "--page", "raw", "--print-units", "base"});
  return words;
}

KernelProfiler::KernelProfiler(const judge::Judge& judge, bool source)
    : source_(source), folder_("hone-ncu") {
  program_ = device::find_tool("ncu");
  if (program_.empty()) {
    problem_ =
        "Nsight Compute (ncu) was not found: install it (package nsight-compute; it also comes "
        "with the CUDA toolkit) and put it in PATH";
    return;
  }
  auto options = runner::runner_options(judge.info(), judge.options().unsafe);
  options.sandbox.isolation = runner::Isolation::limits;  // the profiler needs to see its target
  options.sandbox.wrapper = ncu_command(program_, folder_.path(), source);
  options.sandbox.environment = ncu_environment(folder_.path());
  options.sandbox.keep_rights =
      true;  // device code makes no system calls; the counters may be root's alone
  options.sandbox.memory_bytes = options.sandbox.file_bytes =
      ~std::uint64_t{0};  // it may keep the device's memory
  options.sandbox.processes = 1 << 16;
  try {
    runner_ = std::make_unique<runner::Runner>(judge.info(), options);
  } catch (const base::Error& error) {
    const std::string said = ncu_problem(error.what());
    problem_ = said.empty()
                   ? fmt::format("Nsight Compute ({}) does not start: {}", program_, error.what())
                   : said;
  }
}

std::string KernelProfiler::run(ProfilingSetup& setup, const runner::Built& built,
                                const std::vector<int>& launches) {
  if (!problem_.empty()) return problem_;
  const auto read_log = [&] {
    std::error_code ec;
    if (const auto file = folder_.path() / "log.txt"; fs::is_regular_file(file, ec))
      log_ += base::read_file(file, most_log);
  };
  const auto failed = [&](const std::string& text) {
    if (runner_) log_ += runner_->finish_and_log(finish_seconds);
    read_log();
    const std::string said = ncu_problem(log_ + text);
    return said.empty() ? fmt::format("the call failed under Nsight Compute: {}", text) : said;
  };
  auto loaded = load_into(setup, std::move(runner_), built.result.image);
  if (!loaded) return failed(loaded.error());
  runner_ = std::move(loaded->ready.runner);
  loaded->bound.runner = runner_.get();
  judge::CallOptions call;
  call.flush = false;  // ncu drives the caches' contents out before every replay
  call.private_memory = true;
  call.verify = false;
  call.seconds = first_call_seconds + setup.judge.options().call_seconds;
  if (const auto warm = setup.caller.call(loaded->bound, setup.inputs, call); !warm)
    return failed(warm.error().text);
  call.marked = launches;
  call.seconds = first_call_seconds + replays * setup.judge.options().call_seconds;
  if (const auto called = setup.caller.call(loaded->bound, setup.inputs, call); !called)
    return failed(called.error().text);
  log_ += runner_->finish_and_log(finish_seconds);
  read_log();
  return "";
}

// One page of the report.
std::string KernelProfiler::text_of(const std::string& page) {
  base::Command command;
  command.line = fmt::format("{} -i {} --csv --print-units base {}", shell_word(program_),
                             shell_word((folder_.path() / "report.ncu-rep").string()), page);
  for (const auto& pair : ncu_environment(folder_.path()))
    command.environment.emplace_back(pair.substr(0, pair.find('=')),
                                     pair.substr(pair.find('=') + 1));
  command.environment.emplace_back("LC_ALL", "C.UTF-8");
  command.limit = import_limit;
  command.most_output = most_import;
  const std::atomic<bool> never = false;
  const auto end = base::run_command(command, never);
  return end.output + "\n" + end.error_tail;
}

void KernelProfiler::add_lines(const ProfilingSetup& setup, const runner::Built& built,
                               const std::vector<int>& launches, const std::string& text,
                               KernelProfile& profile) {
  const auto listings = parse_ncu_source(text);
  const auto found = matched(listings, setup.plan, launches);
  auto& notes = profile.collected.notes;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::string kernel = kernel_of(setup.plan, launches[i]);
    if (found[i] == nullptr) {
      notes.push_back(fmt::format(
          "There are no samples of {}: Nsight Compute listed no instructions of it.", kernel));
      continue;
    }
    const auto lines = line_map(built.result.image, kernel, setup.candidate.name);
    if (!lines) {
      notes.push_back(
          fmt::format("The samples of {} are not mapped to lines: {}.", kernel, lines.error()));
      continue;
    }
    add_line_metrics(*found[i], *lines, launches[i], profile.collected.metrics);
    auto samples = samples_by_line(*found[i], *lines, setup.candidate.source, launches[i]);
    profile.lines.insert(profile.lines.end(), samples.begin(), samples.end());
  }
}

void KernelProfiler::measure(ProfilingSetup& setup, const runner::Built& built,
                             const std::vector<int>& launches) {
  problem_ = run(setup, built, launches);
}

KernelProfile KernelProfiler::read(const ProfilingSetup& setup, const runner::Built& built,
                                   const std::vector<int>& launches) {
  KernelProfile profile;
  auto& [metrics, notes] = profile.collected;
  std::future<std::string> source_text;
  std::string raw_text;
  if (problem_.empty() && source_) {
    source_text = std::async(std::launch::async,
                             [this] { return text_of("--page source --print-source sass"); });
    raw_text = text_of("--page raw");
  } else {
    raw_text = log_;
  }
  const auto results = problem_.empty() ? parse_ncu_raw(raw_text) : std::vector<NcuLaunch>();
  if (results.empty()) {
    std::string why = problem_.empty() ? ncu_problem(log_ + raw_text) : problem_;
    if (why.empty())
      why = fmt::format("Nsight Compute's answer holds no numbers: {}",
                        (log_ + raw_text).substr(0, most_words));
    add_missing_kernel_metrics(why, std::nullopt, metrics);
    notes.push_back(why + ".");
    return profile;
  }
  const auto found = matched(results, setup.plan, launches);
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (found[i] != nullptr)
      add_kernel_metrics(*found[i], launches[i], metrics);
    else
      add_missing_kernel_metrics("Nsight Compute gave no numbers for this launch", launches[i],
                                 metrics);
  if (source_text.valid()) add_lines(setup, built, launches, source_text.get(), profile);
  return profile;
}

}  // namespace hone::profile
