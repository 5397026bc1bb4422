#include "profile/cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "device/tools.h"
#include "profile/cpu_binary.h"
#include "profile/cpu_code.h"
#include "profile/cpu_source.h"
#include "profile/cpu_times.h"
#include "profile/tags.h"
#include "runner/inspect.h"

namespace hone::profile {
namespace {

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

base::Result<CpuCode> code_of(const judge::Ready& ready, const core::ResolvedLaunch& launch) {
  if (!runner::isolation_problem().empty())
    return base::Failure{std::string("without a sandbox the driver's cache is not the runner's own")};
  std::string program = device::find_tool("objdump");
  if (program.empty()) program = device::find_tool("llvm-objdump");
  if (program.empty()) return base::Failure{std::string("objdump was not found: install binutils")};
  const auto binary = kernel_binary(ready.runner->pid(), launch);
  if (!binary) return base::Failure{binary.error()};
  const auto text = runner::inspect({program, {"-d", "--no-show-raw-insn", "-M", "intel", "{}"}, *binary});
  if (!text) return base::Failure{text.error()};
  const CpuCode code = read_cpu_code(*text);
  if (code.instructions == 0)
    return base::Failure{fmt::format("the disassembly of {} holds no instructions that Hone reads", launch.kernel)};
  return code;
}

void emit_loops(const CpuCode& code, int launch, Launches& out) {
  const auto& hot = code.hot;
  for (const auto& [tag, hint, value] : {std::tuple{tag::cpu_loop_bits, "bit", hot ? hot->bits : 0},
                                         std::tuple{tag::cpu_loop_loads, "1", hot ? hot->loads : 0},
                                         std::tuple{tag::cpu_loop_cycles, "1", hot ? hot->cycles : 0},
                                         std::tuple{tag::cpu_loop_chain, "1", hot ? hot->chain : 0},
                                         std::tuple{tag::cpu_loop_gathers, "1", hot ? hot->gathers : 0},
                                         std::tuple{tag::cpu_loop_math, "1", hot ? hot->math : 0}})
    if (hot)
      out.add(tag, hint, launch, value);
    else
      out.missing(tag, hint, launch, "the compiled code has no floating-point arithmetic");
}

void emit_code(const base::Result<CpuCode>& code, int launch, Launches& out) {
  if (!code) {
    for (const auto tag :
         {tag::cpu_vector_code, tag::cpu_vector_width, tag::cpu_gathers, tag::cpu_math_calls, tag::cpu_loop_bits,
          tag::cpu_loop_loads, tag::cpu_loop_cycles, tag::cpu_loop_chain, tag::cpu_loop_gathers, tag::cpu_loop_math})
      out.missing(tag, tag == tag::cpu_vector_width || tag == tag::cpu_loop_bits ? "bit" : "1", launch, code.error());
    return;
  }
  const double all = code->scalar + code->vector;
  if (all > 0)
    out.add(tag::cpu_vector_code, "1", launch, code->vector / all);
  else
    out.missing(tag::cpu_vector_code, "1", launch, "the compiled code has no floating-point arithmetic");
  out.add(tag::cpu_vector_width, "bit", launch, code->widest);
  out.add(tag::cpu_gathers, "1", launch, code->gathers);
  out.add(tag::cpu_math_calls, "1", launch, code->math_calls);
  emit_loops(*code, launch, out);
}

double local_bytes(const judge::Ready& ready, const core::ResolvedLaunch& launch) {
  double bytes = 0;
  for (const auto& kernel : ready.kernels)
    if (kernel.name == launch.kernel && kernel.shared_bytes > 0) bytes += static_cast<double>(kernel.shared_bytes);
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
  if (!seconds) collected.notes.push_back("The launches were not timed one by one: " + seconds.error());
  const int bits = vector_bits(cpuinfo());
  std::set<int> seen;
  std::set<std::string> troubles;
  for (const auto& launch : plan.launches) {
    const int index = launch.plan_index;
    if (!seen.insert(index).second) continue;
    if (seconds && seconds->contains(index))
      out.add(tag::cpu_launch_seconds, "s", index, seconds->at(index));
    else
      out.missing(tag::cpu_launch_seconds, "s", index, seconds ? "it did not run" : seconds.error());
    const auto features = features_of(ready.candidate.source, launch.kernel);
    out.add(tag::cpu_source_vectors, "1", index, features.vectors);
    out.add(tag::cpu_barriers, "1", index, features.barriers);
    out.add(tag::cpu_local_bytes, "B", index, local_bytes(ready, launch));
    out.add(tag::cpu_units, "1", index, static_cast<double>(judge.info().sm_count));
    if (bits > 0)
      out.add(tag::cpu_vector_bits, "bit", index, bits);
    else
      out.missing(tag::cpu_vector_bits, "bit", index, "/proc/cpuinfo does not name this processor's vectors");
    const auto code = code_of(ready, launch);
    emit_code(code, index, out);
    if (!code && troubles.insert(code.error()).second)
      collected.notes.push_back("The compiled code was not looked at: " + code.error());
  }
  return collected;
}

}  // namespace hone::profile
