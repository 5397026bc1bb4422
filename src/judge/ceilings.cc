#include "judge/ceilings.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>

#include "base/error.h"
#include "base/resources.h"
#include "judge/buffers.h"
#include "judge/lease.h"
#include "judge/pool.h"
#include "runner/build_request.h"
#include "runner/runner.h"
#include "runner/trim_log.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::judge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double build_seconds = 120, call_seconds = 20;
// At least so many, and on a CPU as many as fit in the time: whoever else is at work there comes and goes.
constexpr int repetitions = 5, most_repetitions = 25;
constexpr int most_calls = 400;  // of an empty kernel: the least is asked for, and each takes microseconds
constexpr double cpu_probe_seconds = 0.2, call_probe_seconds = 2;
constexpr std::uint64_t vector_bytes = 64;  // the programs count their buffers in these
// Several times the caches, and long enough that starting and ending weigh little.
constexpr std::uint64_t caches = 6, least_cpu_bytes = 128u << 20, least_gpu_bytes = 1u << 30;
// How long one repetition of arithmetic lasts: past the clock's ramp, short of boredom.
constexpr double cpu_seconds = 0.01, gpu_seconds = 0.008;
constexpr std::int64_t first_rounds = 256, most_rounds = std::int64_t{1} << 30;

struct Program {
  const char* resource;
  core::Language language;
  int oldest = 0, newest = 1000;  // compute capability, ten times the major and the minor; CUDA only
};
constexpr Program programs[] = {
    {"ceilings/memory.cl", core::Language::opencl},
    {"ceilings/f32.cl", core::Language::opencl},
    {"ceilings/f64.cl", core::Language::opencl},
    {"ceilings/starts.cl", core::Language::opencl},
    {"ceilings/memory.cu", core::Language::cuda},
    {"ceilings/arithmetic.cu", core::Language::cuda},
    {"ceilings/tensor_wgmma.cu", core::Language::cuda, 90, 90},
    {"ceilings/tensor_mma.cu", core::Language::cuda, 80, 89},
    {"ceilings/tensor_mma.cu", core::Language::cuda, 91},
};

int capability(const std::string& arch) { return arch.starts_with("sm_") ? std::atoi(arch.c_str() + 3) : 0; }

// The programs are candidates, so they have a task: two buffers and a few symbols.
core::Task frame(const core::DeviceInfo& info, std::int64_t vectors) {
  core::Task task;
  task.name = "ceilings";
  const auto bytes = base::Expr(vectors * static_cast<std::int64_t>(vector_bytes));
  task.inputs.push_back({.name = "x", .dtype = core::DType::u8, .shape = {bytes}, .draw = {}, .variants = {}});
  task.outputs.push_back({.name = "y", .dtype = core::DType::u8, .shape = {bytes}, .tolerance = {}});
  core::Case which;
  which.name = "all";
  which.bindings = {{"n", vectors}, {"rounds", first_rounds}, {"cpu", info.is_cpu ? 1 : 0}};
  task.cases.push_back(std::move(which));
  return task;
}

std::int64_t buffer_vectors(const core::DeviceInfo& info, std::uint64_t free) {
  const std::uint64_t wanted = std::max(caches * static_cast<std::uint64_t>(std::max<std::int64_t>(info.l2_bytes, 0)),
                                        info.is_cpu ? least_cpu_bytes : least_gpu_bytes);
  return static_cast<std::int64_t>(std::min(wanted, free / 4) / vector_bytes);
}

class Meter {
 public:
  Meter(const core::DeviceInfo& info, const CeilingOptions& options)
      : info_(info),
        options_(options),
        bench_(device::open_workbench(info)),
        task_(frame(info, buffer_vectors(info, bench_->free_bytes()))),
        shapes_(task_shapes(task_, task_.cases[0])),
        buffers_(*bench_, {shapes_.inputs[0], shapes_.outputs[0]}) {
    for (const auto& buffer : buffers_.all()) bench_->garbage(buffer.data, 1);
    bench_->finish();
  }

  CeilingRecord run() {
    options_.progress(fmt::format("building the programs that measure {}", info_.id));
    open_runner();  // it starts while they are built
    std::vector<std::future<Ready>> building;
    for (const Program& program : programs) {
      const int arch = capability(info_.arch);
      if (program.language == info_.language && arch >= program.oldest && arch <= program.newest)
        building.push_back(std::async(std::launch::async, [this, &program] { return build(program.resource); }));
    }
    std::vector<Ready> ready;
    for (auto& program : building) ready.push_back(program.get());
    const Lease lease(info_, options_.progress);
    (void)device::read_state(info_, own_pids());  // others are seen by what they do between two looks
    for (const Ready& program : ready) {
      options_.progress(fmt::format("measuring the ceilings of {}: {}", info_.id, program.candidate.name));
      const std::string problem = program.problem.empty() ? measure(program) : program.problem;
      if (!problem.empty()) record_.problems.push_back(fmt::format("{}: {}", program.candidate.name, problem));
    }
    record_.others = device::read_state(info_, own_pids()).other_users;
    return std::move(record_);
  }

 private:
  struct Ready {
    core::Candidate candidate;
    core::Point point;
    std::string image, problem;
  };

  Ready build(const std::string& resource) const {
    Ready ready;
    ready.candidate.name = resource;
    auto loaded = task::candidate_from(base::resource(resource), info_.language, resource);
    if (!loaded) return ready.problem = task::render_with_sources(loaded.error()), ready;
    ready.candidate = *std::move(loaded);
    const auto& source = ready.candidate.source;
    if (const auto problems = task::check_plan(ready.candidate.plan, task_, resource); !problems.empty())
      return ready.problem = base::render(problems, source), ready;
    ready.point = core::default_point(ready.candidate.plan);
    auto built = runner::build(runner::build_request(info_, source, resource, ready.point), info_, build_seconds);
    if (!built) return ready.problem = built.error().text, ready;
    if (!built->result.ok) ready.problem = runner::trim_log(built->result.log);
    ready.image = std::move(built->result.image);
    return ready;
  }

  std::vector<int> own_pids() const {
    return runner_ ? std::vector<int>{::getpid(), runner_->pid()} : std::vector<int>{::getpid()};
  }

  // Every launch of the program is measured by itself. "", or what went wrong last.
  std::string measure(const Ready& program) {
    const auto& launches = program.candidate.plan.launches;
    std::vector<std::string> kernels;
    for (const auto& launch : launches)
      if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end()) kernels.push_back(launch.kernel);
    if (!runner_) open_runner();
    if (bindings_.empty()) share_buffers();
    if (const auto loaded = runner_->load(program.image, kernels, build_seconds); !loaded) return loaded.error().text;
    std::string problem;
    for (const auto& launch : launches) {
      core::Plan one = program.candidate.plan;
      one.launches = {launch};
      if (const std::string text = measure(one, program.point); !text.empty()) problem = launch.kernel + ": " + text;
      if (!runner_) break;  // it was lost with the launch
    }
    return problem;
  }

  void open_runner() {
    runner_ = std::make_unique<runner::Runner>(info_, runner::runner_options(info_, options_.unsafe));
    bindings_.clear();
  }

  void share_buffers() {
    for (const auto& buffer : buffers_.all()) {
      const auto block = runner_->share(bench_->export_block(buffer.block.id), buffer.block.bytes);
      if (!block) base::fail(base::ExitCode::environment, "{}: {}", info_.id, block.error().text);
      bindings_.push_back({*block, buffer.data.offset});
    }
  }

  // One launch in one shape; the best of a few repetitions goes into the record.
  std::string measure(const core::Plan& plan, const core::Point& point) {
    const std::string kernel = plan.launches[0].kernel, kind = kernel.substr(0, kernel.find('_'));
    const auto ops = point.find(kernel + "_ops");
    const bool arithmetic = ops != point.end();
    if (plan.launches[0].when) {
      auto symbols = core::device_symbols(info_);
      symbols.insert(task_.cases[0].bindings.begin(), task_.cases[0].bindings.end());
      if (const auto holds = plan.launches[0].when->expr.evaluate(symbols); holds && *holds == 0) return "";
    }
    std::int64_t rounds = first_rounds;
    double best = 0;
    std::string shape;
    const auto start = Clock::now();
    const auto enough = [&](int done) {
      const int most = kind == "calls" ? most_calls : most_repetitions;
      if (done <= repetitions || done > most) return done > repetitions;
      const double budget = kind == "calls" ? call_probe_seconds : cpu_probe_seconds;
      return !info_.is_cpu || std::chrono::duration<double>(Clock::now() - start).count() > budget;
    };
    for (int i = 0; !enough(i); ++i) {  // the first warms up, and says how many rounds fill the time
      core::Case which = task_.cases[0];
      which.bindings["rounds"] = rounds;
      const auto resolved = core::resolve(plan, task_, which, point, core::device_symbols(info_));
      if (!resolved) return resolved.error().message;
      const auto& launch = resolved->launches[0];
      const std::int64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2],
                         threads = launch.block[0] * launch.block[1] * launch.block[2];
      shape = fmt::format("{} × {}", blocks, threads);
      const auto seconds = call(*resolved, kind == "calls");
      if (!seconds) return seconds.error();
      if (*seconds <= 0) return "the device's clock did not move";
      const double buffer = static_cast<double>(shapes_.inputs[0].bytes) * (kind == "copy" ? 2 : 1);
      const double work = arithmetic ? static_cast<double>(ops->second) * static_cast<double>(blocks * threads) *
                                           static_cast<double>(rounds)
                          : kind == "groups" ? static_cast<double>(blocks)
                          : kind == "calls"  ? 1.0
                                             : buffer;
      if (i > 0) best = std::max(best, work / *seconds);
      const double wanted = (info_.is_cpu ? cpu_seconds : gpu_seconds) / *seconds;
      // The very first call may have included loading the kernel: look again before settling on a number.
      if (arithmetic && (i == 0 || (i == 1 && wanted > 2)))
        rounds =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(rounds) * wanted), 16, most_rounds);
    }
    record_.probes.push_back({kind, kernel, shape, best});
    double& kept = kind == "read"     ? record_.best.read
                   : kind == "write"  ? record_.best.write
                   : kind == "copy"   ? record_.best.copy
                   : kind == "groups" ? record_.best.groups
                   : kind == "calls"  ? record_.best.calls
                                      : record_.best.flops[kind];
    kept = std::max(kept, best);
    return "";
  }

  // `whole`: by the judge's clock, by which a CPU's candidates are timed, with all that a call takes.
  base::Result<double> call(const core::ResolvedPlan& plan, bool whole) {
    const auto lost = [this](const runner::Fault& fault) {
      if (fault.outcome != core::Outcome::launch_failed) runner_.reset();
      return base::Failure{fault.text};
    };
    const auto id = runner_->plan(plan);
    if (!id) return lost(id.error());
    // The same addresses every time: mapping is not what is measured.
    const runner::PrepareRequest request{*id, {bindings_}, false, false, false, -1};
    if (const auto prepared = runner_->prepare(request, call_seconds); !prepared) return lost(prepared.error());
    const auto timed = runner_->go(call_seconds);
    if (!timed) return lost(timed.error());
    return whole ? timed->judge_seconds : timed->report.device_seconds;
  }

  core::DeviceInfo info_;
  const CeilingOptions& options_;
  std::unique_ptr<device::Workbench> bench_;
  core::Task task_;
  TaskShapes shapes_;
  BufferSet buffers_;
  std::unique_ptr<runner::Runner> runner_;
  device::BindingSet bindings_;
  CeilingRecord record_;
};

}  // namespace

CeilingRecord measure_ceilings(const core::DeviceInfo& info, const CeilingOptions& options) {
  const auto start = Clock::now();
  CeilingRecord record = Meter(info, options).run();
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return record;
}

}  // namespace hone::judge
