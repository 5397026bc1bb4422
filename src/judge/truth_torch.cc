// The truth by the task's torch module: a Python worker that computes on the judge's own blocks, so that nothing passes
// through the host where they lie on a device.
#include "judge/truth_torch.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/pool.h"
#include "judge/truth.h"
#include "judge/wrong_element.h"
#include "runner/python.h"

namespace hone::judge {

using base::ExitCode;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

// Where a device has no room for it in double precision, the CPU computes it; that takes its time.
constexpr double load_seconds = 300, truth_seconds = 600, ready_seconds = 60;
constexpr std::uint64_t truth_bytes = 96ull << 30;

}  // namespace

std::string torch_call(const core::Task& task, const core::Case& which, std::string_view precision) {
  return json{{"case", which.name}, {"precision", precision}, {"scalars", runner::scalars_json(task, which)}}.dump();
}

std::unique_ptr<runner::Runner> start_reference(const core::DeviceInfo& info) {
  // The task's own code, which the user has chosen to run: without name spaces it has limits only.
  auto options = runner::python_options(info, true, {runner::find_python(), "reference"});
  options.freeze = false;
  options.sandbox.memory_bytes = truth_bytes;
  options.sandbox.processes *= 2;  // whatever candidates use up
  return std::make_unique<runner::Runner>(info, options);
}

std::optional<std::string> load_reference(runner::Runner& worker, const core::Task& task, double seconds) {
  const json image = task.own_check ? json{{"problem", task.own_check->problem}} : json{{"source", *task.reference_py}};
  const auto loaded = worker.load(image.dump(), {}, seconds);
  return loaded ? std::nullopt : std::optional(loaded.error().text);
}

runner::Runner& Truth::torch_worker() {
  if (torch_) return *torch_;
  auto worker = start_reference(info_);
  if (const auto why = load_reference(*worker, task_, load_seconds))
    base::fail(ExitCode::bad_input, "{}: {}", (task_.folder / "reference.py").string(), *why);
  torch_ = std::move(worker);
  return *torch_;
}

void Truth::get_ready() {
  if (!task_.reference_py || torch_) return;
  const auto start = Clock::now();
  torch_worker();
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

std::optional<std::string> Truth::ask_torch(const core::Case& which, const std::string& call,
                                            const std::vector<Guarded>& inputs, const std::vector<Guarded>& outputs) {
  runner::Runner& worker = torch_worker();
  const auto fail_with = [&](const runner::Fault& fault) {
    torch_.reset();
    base::fail(ExitCode::bad_input, "the reference of task {} on case {}: {}", task_.name, which.name, fault.text);
  };
  core::ResolvedPlan plan;
  plan.call = call;
  device::BindingSet set;
  for (const auto* group : {&inputs, &outputs})
    for (const auto& buffer : *group) {
      plan.buffers.push_back(buffer.shape);
      plan.buffers.back().role =
          group == &inputs ? core::ResolvedBuffer::Role::input : core::ResolvedBuffer::Role::output;
      const auto id = worker.share(bench_.export_block(buffer.block.id), buffer.block.bytes);
      if (!id) fail_with(id.error());
      set.push_back({*id, buffer.data.offset});
    }
  bench_.finish();
  const auto id = worker.plan(plan);
  if (!id) fail_with(id.error());
  const runner::PrepareRequest request{*id, {set}, true, false, false, -1, {}, false};
  if (const auto prepared = worker.prepare(request, ready_seconds); !prepared) fail_with(prepared.error());
  const auto ran = worker.go(truth_seconds, false);
  if (!ran && ran.error().outcome != core::Outcome::wrong) fail_with(ran.error());
  if (const auto dropped = worker.drop(); !dropped) fail_with(dropped.error());
  if (!ran) return ran.error().text;
  return std::nullopt;
}

void Truth::draw(const core::Case& which, std::uint64_t seed, const std::vector<std::size_t>& wanted,
                 const std::vector<Guarded>& inputs, core::Variant variant) {
  if (!task_.reference_py)
    base::fail(ExitCode::bad_input, "task {}: only a reference.py can draw inputs (draw = {{ kind = \"problem\" }})",
               task_.name);
  const auto start = Clock::now();
  std::vector<Guarded> drawn;
  json varied = json::array();
  for (const std::size_t i : wanted) {
    drawn.push_back(inputs[i]);
    if (variant != core::Variant::plain && takes(task_.inputs[i], variant)) varied.push_back(task_.inputs[i].name);
  }
  const json call = {{"case", which.name}, {"draw", seed}, {"variant", name_of(variant)}, {"varied", varied}};
  ask_torch(which, call.dump(), {}, drawn);
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

std::optional<std::string> Truth::official_refusal(const core::Case& which, const std::vector<Guarded>& inputs,
                                                   const std::vector<Guarded>& outputs) {
  const auto start = Clock::now();
  json shapes = json::object();
  for (const auto& output : outputs) shapes[output.shape.name] = output.shape.dims;
  auto refusal = ask_torch(which, json{{"case", which.name}, {"check", shapes}}.dump(), inputs, outputs);
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  return refusal;
}

void Truth::by_torch(const core::Case& which, const std::string& precision, const std::vector<Guarded>& inputs,
                     const std::vector<Guarded>& outputs) {
  const auto start = Clock::now();
  ask_torch(which, torch_call(task_, which, precision), inputs, outputs);
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<ErrorPair> Truth::torch_errors(const core::Case& which, const std::string& precision,
                                           const std::vector<Guarded>& inputs,
                                           const std::vector<core::ResolvedBuffer>& outputs,
                                           const std::vector<Guarded>& expected) {
  const BufferSet results(bench_, outputs);
  by_torch(which, precision, inputs, results.all());
  std::vector<ErrorPair> errors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto distance = bench_.distance(results.all()[i].data, outputs[i].dtype, expected[i].data, 1);
    errors.push_back(distance.nonfinite > 0 ? ErrorPair{} : ErrorPair{distance.max, distance.rms});
  }
  return errors;
}

}  // namespace hone::judge
