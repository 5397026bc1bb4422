#include "agents/task_text.h"

#include <fmt/format.h>

#include "agents/text.h"
#include "core/precision.h"
#include "core/roofline.h"

namespace hone::agents {
namespace {

std::string shape_text(const std::vector<base::Expr>& shape) {
  std::string text;
  for (const auto& dim : shape) text += (text.empty() ? "" : ", ") + dim.text();
  return "[" + text + "]";
}

std::string_view name_of(core::Variant variant) {
  switch (variant) {
    case core::Variant::shifted:
      return "mean moved by three deviations";
    case core::Variant::flipped:
      return "signs changed";
    case core::Variant::heavy:
      return "a few elements 100 times larger";
    case core::Variant::large:
      return "all 40 times larger";
    default:
      return "plain";
  }
}

std::string ends_text(const core::Draw& draw) {
  std::string text = fmt::format(
      "as the ends of consecutive ranges of {} items in all (each item falls to a range at random, "
      "by weights that are random numbers from 0 to 1",
      draw.total.text());
  if (draw.skew.text() != "0")
    text += fmt::format(
        " to the power {}: 0 makes ranges nearly equal, 3 gives the largest of 128 "
        "about 4 times the mean",
        draw.skew.text());
  text += ")";
  if (draw.empty.text() != "0")
    text += fmt::format("; {} of the ranges are empty", draw.empty.text());
  return text;
}

std::string draw_text(const core::Input& input) {
  const auto& draw = input.draw;
  std::string text = draw.kind == core::DrawKind::normal
                         ? fmt::format("normal, mean {:g}, deviation {:g}", draw.a, draw.b)
                     : draw.kind == core::DrawKind::uniform
                         ? fmt::format("uniform in [{:g}, {:g})", draw.a, draw.b)
                     : draw.kind == core::DrawKind::problem
                         ? "by the problem itself" + (draw.why.empty() ? "" : ": " + draw.why)
                     : draw.kind == core::DrawKind::ends
                         ? ends_text(draw)
                         : fmt::format("integers from {} to {}", draw.low.text(), draw.high.text());
  for (std::size_t i = 0; i < input.variants.size(); ++i)
    text += (i == 0 ? "; also with " : ", ") + std::string(name_of(input.variants[i]));
  return text;
}

std::string tensors_text(const core::Task& task) {
  std::string text =
      "All tensors are contiguous and row-major (the last dimension is contiguous).\n";
  for (const auto& input : task.inputs)
    text += fmt::format("- input `{}`: {} {}, drawn {}\n", input.name, core::name_of(input.dtype),
                        shape_text(input.shape), draw_text(input));
  for (const auto& output : task.outputs)
    text += fmt::format(
        "- output `{}`: {} {}, tolerance {:g} on the largest and {:g} on the root mean square "
        "error\n",
        output.name, core::name_of(output.dtype), shape_text(output.shape), output.tolerance.max,
        output.tolerance.rms);
  if (task.wanted_class == "fp32")
    text +=
        "- precision: on the problem's own inputs the error against double precision may not be "
        "larger than that of torch in single precision; products in TF32, f16 or bf16 are refused, "
        "unless numbers are split so that nothing is lost\n";
  else if (task.wanted_class == "protocol")
    text +=
        "- precision: beside the tolerance, KernelBench's own check must pass: on the problem's "
        "own inputs every element within 1e-4 + 1e-4 |t| of what torch gives in its usual setting "
        "(products in single precision, convolutions of cuDNN in TF32); for long sums that rules "
        "plain TF32 out, and split numbers in\n";
  else if (core::any_precision(task))
    text +=
        "- precision: any whose results are within the tolerance, which was found for the "
        "problem's own check\n";
  else if (core::has_classes(task))
    text +=
        "- precision: the tolerance is that of single precision; products in TF32 are admitted as "
        "far as they are no further off than torch's own with TF32, and count in a class of their "
        "own (tf32, beside fp32); torch rounds operands to TF32 (cvt.rna.tf32.f32), and a kernel "
        "that hands tensor cores truncated ones is refused\n";
  for (const auto& scalar : task.scalars)
    text += fmt::format(
        "- scalar `{}`: {} = {}\n", scalar.name, core::name_of(scalar.dtype),
        scalar.expression ? scalar.expression->text() : fmt::format("{:g}", scalar.value));
  return text;
}

std::string bindings_text(const base::Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : bindings)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string cases_text(const Mission& mission) {
  std::string text =
      "\nCases on this device, all of which must be right; only those marked TIMED count for "
      "speed:\n";
  for (const auto& which : mission.task->cases)
    if (core::is_for(which, mission.device))
      text += fmt::format("- `{}`: {}{}\n", which.name, bindings_text(which.bindings),
                          which.timed ? " (TIMED)" : "");
  return text;
}

std::string work_text(const core::Work& work) {
  std::string text =
      fmt::format("\nWork that any implementation must do: bytes moved = {}", work.bytes.text());
  for (const auto& [kind, formula] : work.flops)
    text += fmt::format("; {} operations = {}", kind, formula.text());
  if (!work.uncounted.empty())
    text += fmt::format("; operations of {} are not counted", fmt::join(work.uncounted, ", "));
  return text + "\n";
}

std::string rate_text(double per_second, const char* unit) {
  if (per_second >= 1e12) return fmt::format("{:.4g} T{}/s", per_second / 1e12, unit);
  return fmt::format("{:.4g} G{}/s", per_second / 1e9, unit);
}

std::string ceilings_text(const core::Ceilings& ceilings) {
  std::string text;
  const auto add = [&](const std::string& name, double rate, const char* unit) {
    if (rate > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, rate_text(rate, unit));
  };
  add("read", ceilings.read, "B");
  add("write", ceilings.write, "B");
  add("copy (bytes read and written)", ceilings.copy, "B");
  for (const auto& [kind, rate] : ceilings.flops) add(kind, rate, "flop");
  if (text.empty()) return "Its ceilings have not been measured.\n";
  return "Measured on this very device, when nothing else is asked of it: " + text + ".\n";
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{} bytes", bytes);
}

}  // namespace

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.4g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string language_tag(const Mission& mission) {
  if (!mission.external.empty()) return "text";
  if (mission.python) return "python";
  return mission.device.language == core::Language::cuda ? "cuda" : "opencl";
}

std::string task_text(const Mission& mission) {
  if (!mission.external.empty()) return mission.external;
  if (mission.task == nullptr) return "";
  return fmt::format("{}: {}\n\n{}{}{}", mission.task->name, mission.task->summary,
                     tensors_text(*mission.task), cases_text(mission),
                     work_text(mission.task->work));
}

std::string reference_text(const Mission& mission) {
  if (!mission.external.empty() || mission.task == nullptr) return "";
  if (mission.task->reference_py) return fenced(*mission.task->reference_py, "python");
  return mission.task->reference_cc.empty() ? "" : fenced(mission.task->reference_cc, "cpp");
}

std::string device_text(const Mission& mission) {
  const auto& device = mission.device;
  if (device.name.empty()) return "";
  std::string text = device.name;
  if (!device.arch.empty()) text += fmt::format(" ({})", device.arch);
  text += fmt::format(", a {}; {}.\n", device.is_cpu ? "CPU" : "GPU", mission.language);
  text += fmt::format(
      "Facts{}: sm_count = {} ({}), warp_size = {}, shared_per_block = {} bytes, l2_bytes = {} "
      "({}), max_threads = {} in a block.\n",
      mission.python ? "" : ", usable by these names in a plan", device.sm_count,
      device.is_cpu ? "cores, as OpenCL counts them" : "multiprocessors or compute units",
      device.warp_size, device.shared_per_block, device.l2_bytes, bytes_text(device.l2_bytes),
      device.max_threads);
  if (!device.compiler.empty()) text += fmt::format("Compiler: {}.\n", device.compiler);
  return text + ceilings_text(mission.ceilings);
}

std::string targets_text(const Mission& mission) {
  if (!mission.external.empty() || mission.task == nullptr) return "";
  std::string text;
  for (const auto& which : mission.task->cases) {
    if (!which.timed || !core::is_for(which, mission.device)) continue;
    const auto roofline = core::roofline_of(*mission.task, which, mission.ceilings);
    text += fmt::format("- `{}`: {:.4g} bytes", which.name, roofline.bytes);
    for (const auto& [kind, flops] : roofline.flops_by_kind)
      text += fmt::format(", {:.4g} {} operations", flops, kind);
    // Of problems in Python the operators are counted as they run, where they are known.
    if (roofline.flops_by_kind.empty() && mission.task->reference_py)
      text += ", operations not counted (which does not mean that there are few)";
    text += roofline.seconds > 0
                ? fmt::format("; at the measured ceilings that takes {} ({} binds)\n",
                              seconds_text(roofline.seconds), roofline.ceiling)
                : "\n";
  }
  return text;
}

}  // namespace hone::agents
