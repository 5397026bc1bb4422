#include "judge/ceilings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <memory>

#include "base/error.h"
#include "base/resources.h"
#include "judge/buffers.h"
#include "judge/lease.h"
#include "judge/pool.h"
#include "judge/since.h"
#include "runner/build_request.h"
#include "runner/runner.h"
#include "runner/trim_log.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::judge {
namespace {

constexpr double build_seconds = 120, call_seconds = 20;  // limits
// On a CPU there are more repetitions than the minimum, as many as the time allows: other processes
// slow some of them.
constexpr int least_repetitions = 5, most_repetitions = 25;
constexpr int most_calls =
    400;  // of an empty kernel: the fastest is wanted, and each takes microseconds
constexpr double cpu_probe_seconds = 0.2, call_probe_seconds = 2;
constexpr std::uint64_t vector_bytes =
    64;  // the programs count their buffers in vectors of this size
// Buffers are several times the caches, and so large that starting and ending a kernel takes a
// small part of its time.
constexpr std::uint64_t cache_multiple = 6, least_cpu_bytes = 128u << 20,
                        least_gpu_bytes = 1u << 30;
// The duration of one repetition of arithmetic: long enough for the device to reach its full clock
// rate.
constexpr double cpu_seconds = 0.01, gpu_seconds = 0.008;
constexpr std::int64_t first_rounds = 256, least_rounds = 16, most_rounds = std::int64_t{1} << 30;

struct Program {
  const char* resource;
  core::Language language;
  int oldest = 0, newest = 1000;  // compute capabilities it is for, 10 * major + minor; CUDA only
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

int capability(const std::string& arch) {
  return arch.starts_with("sm_") ? std::atoi(arch.c_str() + 3) : 0;
}

// The programs are candidates, so they need a task: two buffers and a few symbols.
core::Task ceilings_task(const core::DeviceInfo& info, std::int64_t vectors) {
  core::Task task;
  task.name = "ceilings";
  const auto bytes = base::Expr(vectors * static_cast<std::int64_t>(vector_bytes));
  task.inputs.push_back(
      {.name = "x", .dtype = core::DType::u8, .shape = {bytes}, .draw = {}, .variants = {}});
  task.outputs.push_back(
      {.name = "y", .dtype = core::DType::u8, .shape = {bytes}, .tolerance = {}});
  core::Case which;
  which.name = "all";
  which.bindings = {{"n", vectors},
                    {"rounds", first_rounds},
                    {"cpu", core::capabilities(info).native_code ? 1 : 0}};
  task.cases.push_back(std::move(which));
  return task;
}

std::int64_t buffer_vectors(const core::DeviceInfo& info, std::uint64_t free) {
  const auto cache_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(info.l2_bytes, 0));
  const std::uint64_t wanted =
      std::max(cache_multiple * cache_bytes,
               core::capabilities(info).native_code ? least_cpu_bytes : least_gpu_bytes);
  return static_cast<std::int64_t>(std::min(wanted, free / 4) / vector_bytes);
}

struct BuiltProgram {
  core::Candidate candidate;
  core::Point point;
  std::string image;
  std::string problem;  // why it could not be built; "": it was
};

// May run on any thread.
BuiltProgram build_program(const core::DeviceInfo& info, const core::Task& task,
                           const std::string& resource) {
  BuiltProgram program;
  program.candidate.name = resource;
  const auto failed = [&](std::string why) {
    program.problem = std::move(why);
    return std::move(program);
  };
  auto loaded = task::candidate_from(base::resource(resource), info.language, resource);
  if (!loaded) return failed(task::render_with_sources(loaded.error()));
  program.candidate = *std::move(loaded);
  const auto& source = program.candidate.source;
  if (const auto problems = task::check_plan(program.candidate.plan, task, resource);
      !problems.empty())
    return failed(base::render(problems, source));
  program.point = core::default_point(program.candidate.plan);
  auto built = runner::build(runner::build_request(info, source, resource, program.point), info,
                             build_seconds);
  if (!built) return failed(built.error().text);
  if (!built->result.ok) return failed(runner::trim_log(built->result.log));
  program.image = std::move(built->result.image);
  return program;
}

// All programs for the device, built at the same time.
std::vector<BuiltProgram> build_programs(const core::DeviceInfo& info, const core::Task& task) {
  const int arch = capability(info.arch);
  std::vector<std::future<BuiltProgram>> building;
  for (const Program& program : programs)
    if (program.language == info.language && arch >= program.oldest && arch <= program.newest)
      building.push_back(std::async(std::launch::async, [&info, &task, &program] {
        return build_program(info, task, program.resource);
      }));
  std::vector<BuiltProgram> built;
  for (auto& program : building) built.push_back(program.get());
  return built;
}

// What one launch measures. The first part of a kernel's name is the kind: "read_runs" measures
// "read".
struct LaunchKind {
  std::string kernel, kind;
  double ops =
      0;  // arithmetic only: what a thread does in one round, from the tunable "<kernel>_ops"

  LaunchKind(const std::string& name, const core::Point& point)
      : kernel(name), kind(name.substr(0, name.find('_'))) {
    if (const auto found = point.find(name + "_ops"); found != point.end())
      ops = static_cast<double>(found->second);
  }
  bool is_arithmetic() const { return ops > 0; }
  bool is_call() const { return kind == "calls"; }
};

// In the unit of CeilingProbe::rate.
double work_of(const LaunchKind& launch, double blocks, double threads, double rounds,
               double buffer_bytes) {
  if (launch.is_arithmetic()) return launch.ops * blocks * threads * rounds;
  if (launch.kind == "groups") return blocks;
  if (launch.is_call()) return 1;
  return launch.kind == "copy" ? 2 * buffer_bytes : buffer_bytes;
}

double& rate_of(core::Ceilings& ceilings, const std::string& kind) {
  if (kind == "read") return ceilings.read;
  if (kind == "write") return ceilings.write;
  if (kind == "copy") return ceilings.copy;
  if (kind == "groups") return ceilings.groups;
  if (kind == "calls") return ceilings.calls;
  return ceilings.flops[kind];
}

// The first repetition warms up and does not count.
bool enough_repetitions(const LaunchKind& launch, bool native_code, int done, double seconds) {
  if (done <= least_repetitions) return false;
  if (!native_code || done > (launch.is_call() ? most_calls : most_repetitions)) return true;
  return seconds > (launch.is_call() ? call_probe_seconds : cpu_probe_seconds);
}

// Owns the runner in which the programs run, and the buffers that it shares with it. A runner that
// fails is replaced with a new one for the next program.
class CeilingMeter {
 public:
  CeilingMeter(const core::DeviceInfo& info, const CeilingOptions& options)
      : info_(info),
        options_(options),
        ops_(device::open_tensor_ops(info)),
        task_(ceilings_task(info, buffer_vectors(info, ops_->free_bytes()))),
        shapes_(task_shapes(task_, task_.cases[0])),
        buffers_(*ops_, {shapes_.inputs[0], shapes_.outputs[0]}) {
    for (const auto& buffer : buffers_.all()) ops_->garbage(buffer.data, 1);
    ops_->finish();
  }

  CeilingRecord run() {
    options_.progress(fmt::format(
        "building the programs that measure {}, once for this device: about half a minute in all",
        info_.id));
    open_runner();  // it starts while they are built
    const auto built = build_programs(info_, task_);
    const Lease lease(info_, options_.progress);
    (void)device::read_state(
        info_, own_pids());  // the second reading finds what other processes did since the first
    for (const BuiltProgram& program : built) {
      options_.progress(
          fmt::format("measuring the ceilings of {}: {}", info_.id, program.candidate.name));
      const std::string problem =
          program.problem.empty() ? measure_program(program) : program.problem;
      if (!problem.empty())
        record_.problems.push_back(fmt::format("{}: {}", program.candidate.name, problem));
    }
    record_.other_users = device::read_state(info_, own_pids()).other_users;
    return std::move(record_);
  }

 private:
  std::vector<int> own_pids() const {
    return runner_ ? std::vector<int>{::getpid(), runner_->pid()} : std::vector<int>{::getpid()};
  }

  void open_runner() {
    auto options = runner::runner_options(info_, options_.unsafe);
    options.speaker.clear();  // only the judge's own kernels run in it
    runner_ = std::make_unique<runner::Runner>(info_, options);
    bindings_.clear();
  }

  void share_buffers() {
    for (const auto& buffer : buffers_.all()) {
      const auto block =
          runner_->share(buffer.block.id, ops_->export_block(buffer.block.id), buffer.block.bytes);
      if (!block) base::fail(base::ExitCode::environment, "{}: {}", info_.id, block.error().text);
      bindings_.push_back({*block, buffer.data.offset});
    }
  }

  // Measures every launch of the program separately. Returns the last problem, or "".
  std::string measure_program(const BuiltProgram& program) {
    const auto& launches = program.candidate.plan.launches;
    std::vector<std::string> kernels;
    for (const auto& launch : launches)
      if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
        kernels.push_back(launch.kernel);
    if (!runner_) open_runner();
    if (bindings_.empty()) share_buffers();
    if (const auto loaded = runner_->load(program.image, kernels, build_seconds); !loaded)
      return loaded.error().text;
    std::string problem;
    for (const auto& launch : launches) {
      if (!is_for_this_device(launch)) continue;
      core::Plan one = program.candidate.plan;
      one.launches = {launch};
      if (const auto probe = measure_launch(one, program.point))
        add(*probe);
      else
        problem = launch.kernel + ": " + probe.error();
      if (!runner_) break;  // the launch made it fail
    }
    return problem;
  }

  bool is_for_this_device(const core::Launch& launch) const {
    if (!launch.when) return true;
    auto symbols = core::device_symbols(info_);
    symbols.insert(task_.cases[0].bindings.begin(), task_.cases[0].bindings.end());
    const auto holds = launch.when->expr.evaluate(symbols);
    return !holds || *holds != 0;  // what cannot be evaluated is reported when the plan is resolved
  }

  void add(const CeilingProbe& probe) {
    record_.probes.push_back(probe);
    double& best = rate_of(record_.best, probe.kind);
    best = std::max(best, probe.rate);
  }

  // The best of several repetitions of a plan with one launch.
  base::Result<CeilingProbe> measure_launch(const core::Plan& plan, const core::Point& point) {
    const LaunchKind launch(plan.launches[0].kernel, point);
    CeilingProbe probe{launch.kind, launch.kernel, "", 0};
    std::int64_t rounds = first_rounds;
    const auto start = Clock::now();
    for (int i = 0;
         !enough_repetitions(launch, core::capabilities(info_).native_code, i, since(start)); ++i) {
      core::Case which = task_.cases[0];
      which.bindings["rounds"] = rounds;
      const auto resolved = core::resolve(plan, task_, which, point, core::device_symbols(info_));
      if (!resolved) return base::Failure{resolved.error().message};
      const auto& grid = resolved->launches[0].grid;
      const auto& block = resolved->launches[0].block;
      const std::int64_t blocks = grid[0] * grid[1] * grid[2],
                         threads = block[0] * block[1] * block[2];
      probe.shape = fmt::format("{} × {}", blocks, threads);
      const auto seconds = call(*resolved, launch.is_call());
      if (!seconds) return base::Failure{seconds.error()};
      if (*seconds <= 0) return base::Failure{std::string("the device's clock did not move")};
      const double work =
          work_of(launch, static_cast<double>(blocks), static_cast<double>(threads),
                  static_cast<double>(rounds), static_cast<double>(shapes_.inputs[0].bytes));
      if (i > 0) probe.rate = std::max(probe.rate, work / *seconds);
      const double wanted =
          (core::capabilities(info_).native_code ? cpu_seconds : gpu_seconds) / *seconds;
      // The first call sets the number of rounds. It may have included loading the kernel, so the
      // second may correct it.
      if (launch.is_arithmetic() && (i == 0 || (i == 1 && wanted > 2)))
        rounds = std::clamp(static_cast<std::int64_t>(static_cast<double>(rounds) * wanted),
                            least_rounds, most_rounds);
    }
    return probe;
  }

  // Seconds of one call by the device's clock; with `by_judge_clock` by the judge's, with
  // everything that a call takes, which is how candidates are timed on a CPU.
  base::Result<double> call(const core::ResolvedPlan& plan, bool by_judge_clock) {
    const auto failed = [this](const runner::Fault& fault) {
      if (fault.outcome != core::Outcome::launch_failed) runner_.reset();
      return base::Failure{fault.text};
    };
    const auto id = runner_->plan(plan);
    if (!id) return failed(id.error());
    // The same addresses in every call: the cost of mapping memory is not measured.
    const runner::PrepareRequest request{
        .plan = *id, .sets = {bindings_}, .fresh_addresses = false, .flush = false};
    if (const auto prepared = runner_->prepare(request, call_seconds); !prepared)
      return failed(prepared.error());
    const auto timed = runner_->go(call_seconds);
    if (!timed) return failed(timed.error());
    return by_judge_clock ? timed->judge_seconds : timed->report.device_seconds;
  }

  core::DeviceInfo info_;
  const CeilingOptions& options_;
  std::unique_ptr<device::TensorOps> ops_;
  core::Task task_;
  TaskShapes shapes_;
  BufferSet buffers_;
  std::unique_ptr<runner::Runner> runner_;
  device::BindingSet bindings_;  // of buffers_ in runner_; empty: not shared yet
  CeilingRecord record_;
};

}  // namespace

CeilingRecord measure_ceilings(const core::DeviceInfo& info, const CeilingOptions& options) {
  const auto start = Clock::now();
  CeilingRecord record = CeilingMeter(info, options).run();
  record.seconds = since(start);
  return record;
}

}  // namespace hone::judge
