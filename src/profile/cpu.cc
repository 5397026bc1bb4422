#include "profile/cpu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "core/source_lines.h"
#include "device/tools.h"
#include "profile/cpu_binary.h"
#include "profile/cpu_code.h"
#include "profile/cpu_reached.h"
#include "profile/cpu_source.h"
#include "profile/cpu_times.h"
#include "profile/profiling_setup.h"
#include "profile/tags.h"
#include "runner/inspect.h"

namespace hone::profile {
namespace {

constexpr double least_part =
    0.02;  // of the inner loops' instructions; a line with less is not where time goes
constexpr std::size_t most_hot_lines = 12;  // of a launch

struct Launches {
  Collected& collected;
  void add(std::string_view tag, const char* hint, int launch, double value) {
    collected.metrics.push_back({std::string(tag), hint, value, "", "", launch, {}});
  }
  void missing(std::string_view tag, const char* hint, int launch, const std::string& why) {
    collected.metrics.push_back({std::string(tag), hint, std::nullopt, why, "", launch, {}});
  }
};

std::string cpuinfo() {
  try {
    return "\n" + base::read_file("/proc/cpuinfo");
  } catch (const base::Error&) {
    return "";
  }
}

// The candidate once more, with line information, in a runner of its own. PoCL drops the lines when
// it makes code for a work-group size of a binary; what it has made for all sizes keeps them.
base::Result<std::unique_ptr<runner::Runner>> with_lines(judge::Judge& judge,
                                                         const judge::Ready& ready,
                                                         const core::Candidate& candidate) {
  const auto built = build_for(judge, candidate, ready.point, true);
  if (!built) return base::Failure{built.error()};
  std::vector<std::string> names;
  for (const auto& kernel : ready.kernels) names.push_back(kernel.name);
  auto own = std::make_unique<runner::Runner>(
      judge.info(), runner::runner_options(judge.info(), judge.options().unsafe));
  if (const auto loaded = own->load(built->result.image, names, judge.options().build_seconds);
      !loaded)
    return base::Failure{loaded.error().text};
  return own;
}

base::Result<std::string> listing_of(const runner::Runner& owner,
                                     const core::ResolvedLaunch& launch) {
  if (!runner::isolation_problem().empty())
    return base::Failure{
        std::string("without a sandbox the driver's cache is not the runner's own")};
  std::string program = device::find_tool("objdump");
  if (program.empty()) program = device::find_tool("llvm-objdump");
  if (program.empty()) return base::Failure{std::string("objdump was not found: install binutils")};
  const auto binary = kernel_binary(owner.pid(), launch);
  if (!binary) return base::Failure{binary.error()};
  return runner::inspect(
      {program, {"-d", "-l", "--no-show-raw-insn", "-M", "intel", "{}"}, *binary});
}

base::Result<CpuCode> code_of(const runner::Runner& owner, const core::ResolvedLaunch& launch) {
  const auto text = listing_of(owner, launch);
  if (!text) return base::Failure{text.error()};
  const CpuCode code = read_cpu_code(*text);
  if (code.instructions == 0)
    return base::Failure{
        fmt::format("the disassembly of {} holds no instructions that Hone reads", launch.kernel)};
  return code;
}

void emit_loops(const CpuCode& code, int launch, Launches& out) {
  const auto& hot = code.hot;
  for (const auto& [tag, hint, value] :
       {std::tuple{tag::cpu_loop_bits, "bit", hot ? hot->bits : 0},
        std::tuple{tag::cpu_loop_loads, "1", hot ? hot->loads : 0},
        std::tuple{tag::cpu_loop_cycles, "1", hot ? hot->cycles : 0},
        std::tuple{tag::cpu_loop_chain, "1", hot ? hot->chain : 0},
        std::tuple{tag::cpu_loop_gathers, "1", hot ? hot->gathers : 0},
        std::tuple{tag::cpu_loop_strided, "1", hot ? hot->strided : 0},
        std::tuple{tag::cpu_loop_math, "1", hot ? hot->math : 0}})
    if (hot)
      out.add(tag, hint, launch, value);
    else
      out.missing(tag, hint, launch, "the compiled code has no floating-point arithmetic");
}

// The lines that the inner loops' code came from. The listing is of hostile origin: only lines that
// there are count.
void emit_lines(const runner::Runner& lined, core::ResolvedLaunch launch, const std::string& source,
                Collected& collected) {
  launch.block = {0, 0, 0};  // the code for all sizes
  const auto text = listing_of(lined, launch);
  if (!text) return;
  const auto counted = core::counted_text(source);
  const auto last = 1 + std::count(counted.begin(), counted.end(), '\n');
  std::vector<std::pair<double, int>> lines;
  for (const auto& [line, part] : read_cpu_lines(*text, launch.kernel))
    if (line <= last && part >= least_part) lines.emplace_back(part, line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (lines.size() > most_hot_lines) lines.resize(most_hot_lines);
  for (const auto& [part, line] : lines)
    collected.metrics.push_back(
        {std::string(tag::line_code), "1", part, "", "", launch.plan_index, line});
}

void emit_code(const base::Result<CpuCode>& code, int launch, Launches& out) {
  if (!code) {
    for (const auto tag :
         {tag::cpu_vector_code, tag::cpu_vector_width, tag::cpu_gathers, tag::cpu_math_calls,
          tag::cpu_loop_bits, tag::cpu_loop_loads, tag::cpu_loop_cycles, tag::cpu_loop_chain,
          tag::cpu_loop_gathers, tag::cpu_loop_strided, tag::cpu_loop_math})
      out.missing(tag, tag == tag::cpu_vector_width || tag == tag::cpu_loop_bits ? "bit" : "1",
                  launch, code.error());
    return;
  }
  const double all = code->scalar + code->vector;
  if (all > 0)
    out.add(tag::cpu_vector_code, "1", launch, code->vector / all);
  else
    out.missing(tag::cpu_vector_code, "1", launch,
                "the compiled code has no floating-point arithmetic");
  out.add(tag::cpu_vector_width, "bit", launch, code->widest);
  out.add(tag::cpu_gathers, "1", launch, code->gathers);
  out.add(tag::cpu_math_calls, "1", launch, code->math_calls);
  emit_loops(*code, launch, out);
}

double local_bytes(const judge::Ready& ready, const core::ResolvedLaunch& launch) {
  double bytes = 0;
  for (const auto& kernel : ready.kernels)
    if (kernel.name == launch.kernel && kernel.shared_bytes > 0)
      bytes += static_cast<double>(kernel.shared_bytes);
  for (const auto& arg : launch.args)
    if (arg.kind == core::ResolvedArg::Kind::local) bytes += static_cast<double>(arg.integer);
  return bytes;
}

}  // namespace

Collected collect_cpu(judge::Judge& judge, judge::Ready& ready, const core::Case& which,
                      const core::ResolvedPlan& plan) {
  Collected collected;
  Launches out{collected};
  const auto seconds = launch_seconds(judge, ready, which, plan);
  if (!seconds)
    collected.notes.push_back("The launches were not timed one by one: " + seconds.error());
  const int bits = vector_bits(cpuinfo());
  const auto reached = reached_code(judge, ready, which, plan);
  const bool leaves_out = reached && (*reached)->setup != nullptr;
  if (leaves_out)
    collected.notes.push_back(
        fmt::format("Case {} never enters the loop{} in line{} {}: the code there was left out of "
                    "what the compiled code says.",
                    which.name, (*reached)->never.size() > 1 ? "s" : "",
                    (*reached)->never.size() > 1 ? "s" : "", fmt::join((*reached)->never, ", ")));
  if (!reached)
    collected.notes.push_back("Which loops the case enters is not known, so some may never run: " +
                              reached.error());
  const auto lined = with_lines(judge, ready, leaves_out ? (*reached)->candidate : ready.candidate);
  if (!lined) collected.notes.push_back("Lines of the inner loops are not known: " + lined.error());
  std::set<int> seen;
  std::set<std::string> troubles;
  for (const auto& launch : plan.launches) {
    const int index = launch.plan_index;
    if (!seen.insert(index).second) continue;
    if (seconds && seconds->contains(index))
      out.add(tag::cpu_launch_seconds, "s", index, seconds->at(index));
    else
      out.missing(tag::cpu_launch_seconds, "s", index,
                  seconds ? "it did not run" : seconds.error());
    const auto features = features_of(ready.candidate.source, launch.kernel);
    out.add(tag::cpu_source_vectors, "1", index, features.vectors);
    out.add(tag::cpu_barriers, "1", index, features.barriers);
    out.add(tag::cpu_local_bytes, "B", index, local_bytes(ready, launch));
    out.add(tag::cpu_units, "1", index, static_cast<double>(judge.info().sm_count));
    if (bits > 0)
      out.add(tag::cpu_vector_bits, "bit", index, bits);
    else
      out.missing(tag::cpu_vector_bits, "bit", index,
                  "/proc/cpuinfo does not name this processor's vectors");
    const auto code =
        code_of(leaves_out ? *(*reached)->loaded.ready.runner : *ready.runner, launch);
    emit_code(code, index, out);
    if (lined) emit_lines(**lined, launch, ready.candidate.source, collected);
    if (!code && troubles.insert(code.error()).second)
      collected.notes.push_back("The compiled code was not looked at: " + code.error());
  }
  return collected;
}

}  // namespace hone::profile
