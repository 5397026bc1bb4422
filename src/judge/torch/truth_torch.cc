// The worker for torch modules, and the part of Truth that uses it.
#include "judge/torch/truth_torch.h"

#include "base/error.h"
#include "base/json.h"
#include "judge/pool.h"
#include "judge/truth.h"
#include "judge/wrong_element.h"
#include "runner/python.h"

namespace hone::judge {

using base::ExitCode;

namespace {

// Limits. Loading compiles, where the module has code of its own to compile.
constexpr double load_seconds = 300, ready_seconds = 60;
constexpr std::uint64_t truth_bytes = 96ull << 30;

// What resources/python/function.py is made of.
void describe_function(base::Fields& f, const core::Task& task) {
  const core::FunctionReference& function = *task.function;
  f("source", *task.reference_py)("function", function.function)("inputs", function.inputs);
  f("numpy", function.numpy)("double", function.in_double);
  f("interface", base::RawJson{*task.interface});
}

// Where a call that was killed stood, in the task's own file: the lines of the worker's traceback
// that are about it.
std::string place_in_reference(const std::string& traceback) {
  std::string place;
  for (std::size_t at = 0; (at = traceback.find("File \"reference.py\"", at)) != std::string::npos;
       ++at)
    place += (place.empty() ? " (it was at " : ", called from ") +
             traceback.substr(at + 5, traceback.find('\n', at) - at - 5);
  return place.empty() ? place : place + ")";
}

}  // namespace

std::string torch_call(const core::Task& task, const core::Case& which,
                       std::string_view precision) {
  return base::json_line([&](base::Fields& f) {
    f("case", which.name)("precision", precision)("scalars", runner::scalars_of(task, which));
    f("sizes", which.bindings);
  });
}

std::unique_ptr<runner::Runner> start_reference(const core::DeviceInfo& info) {
  // Unsafe: the module is the task's own code, which the user has chosen to run. Where there are no
  // name spaces for a sandbox, it runs with limits only.
  auto options = runner::python_options(info, true, {runner::find_python(), "reference"});
  options.freeze = false;
  options.sandbox.memory_bytes = truth_bytes;
  options.sandbox.processes *= 2;  // so that candidates that use up theirs do not stop it
  return std::make_unique<runner::Runner>(info, options);
}

std::optional<std::string> load_reference(runner::Runner& worker, const core::Task& task,
                                          double seconds) {
  const std::string image = base::json_line([&](base::Fields& f) {
    if (task.own_check)
      f("problem", task.own_check->problem);
    else if (task.function)
      f.group("function", [&] { describe_function(f, task); });
    else
      f("source", *task.reference_py);
  });
  const auto loaded = worker.load(image, {}, seconds);
  return loaded ? std::nullopt : std::optional(loaded.error().text);
}

base::Result<std::optional<std::string>, runner::Fault> call_reference(
    runner::Runner& worker, device::TensorOps& ops, const std::string& call,
    const std::vector<ReferenceBuffers>& sets, double seconds) {
  using Role = core::ResolvedBuffer::Role;
  core::ResolvedPlan plan;
  plan.call = call;
  for (const Role role : {Role::input, Role::output})
    for (const auto& buffer : role == Role::input ? sets.front().inputs : sets.front().outputs) {
      plan.buffers.push_back(buffer.shape);
      plan.buffers.back().role = role;
    }
  runner::PrepareRequest request{.flush = false};
  for (const auto& [inputs, outputs] : sets) {
    request.sets.emplace_back();
    for (const auto* group : {&inputs, &outputs})
      for (const auto& buffer : *group) {
        const auto id =
            worker.share(buffer.block.id, ops.export_block(buffer.block.id), buffer.block.bytes);
        if (!id) return base::Failure{id.error()};
        request.sets.back().push_back({*id, buffer.data.offset});
      }
  }
  ops.finish();
  const auto id = worker.plan(plan);
  if (!id) return base::Failure{id.error()};
  request.plan = *id;
  if (const auto prepared = worker.prepare(request, ready_seconds); !prepared)
    return base::Failure{prepared.error()};
  const auto ran = worker.go(seconds, runner::AfterAnswer::runs_on);
  const bool objection = !ran && ran.error().outcome == core::Outcome::wrong;
  if (!ran && !objection) return base::Failure{ran.error()};
  if (const auto dropped = worker.drop(); !dropped) return base::Failure{dropped.error()};
  return objection ? std::optional(ran.error().text) : std::nullopt;
}

runner::Runner& Truth::torch_worker() {
  if (torch_) return *torch_;
  auto worker = start_reference(info_);
  const std::string what = "loading the reference of task " + task_.name;
  const double most = limit().at_most(load_seconds);
  worker->while_waiting(limit().teller(what, most));
  if (const auto why = load_reference(*worker, task_, most)) {
    if (limit().over()) limit().fail(what);
    base::fail(ExitCode::bad_input, "{}: {}", (task_.folder / "reference.py").string(), *why);
  }
  worker->while_waiting({});
  torch_ = std::move(worker);
  return *torch_;
}

void Truth::get_ready() {
  if (!task_.reference_py || torch_) return;
  const AddElapsed elapsed{seconds_};
  torch_worker();
}

std::optional<std::string> Truth::ask_torch(const core::Case& which, const std::string& call,
                                            const std::vector<ReferenceBuffers>& sets) {
  auto& worker = torch_worker();
  const double seconds = limit().seconds_left() * static_cast<double>(sets.size());
  const std::string what =
      fmt::format("the reference of task {} on case {}", task_.name, which.name);
  worker.while_waiting(limit().teller(what, seconds));
  const auto objection = call_reference(worker, ops_, call, sets, seconds);
  worker.while_waiting({});
  if (!objection) {
    torch_.reset();
    if (objection.error().outcome == core::Outcome::timed_out)
      limit().fail(what + place_in_reference(objection.error().text));
    base::fail(ExitCode::bad_input, "{}: {}", what, objection.error().text);
  }
  return *objection;
}

void Truth::draw(const core::Case& which, const std::vector<std::uint64_t>& seeds,
                 const std::vector<std::size_t>& wanted, const InputSets& sets,
                 core::Variant variant) {
  if (!task_.reference_py)
    base::fail(ExitCode::bad_input,
               "task {}: only a reference.py can draw inputs (draw = {{ kind = \"problem\" }})",
               task_.name);
  const AddElapsed elapsed{seconds_};
  std::vector<std::string> varied;
  for (const std::size_t i : wanted)
    if (variant != core::Variant::plain && takes(task_.inputs[i], variant))
      varied.push_back(task_.inputs[i].name);
  std::vector<ReferenceBuffers> drawn(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const std::size_t input : wanted) drawn[i].outputs.push_back((*sets[i])[input]);
  const std::string call = base::json_line([&](base::Fields& f) {
    f("case", which.name)("draw", seeds)("variant", name_of(variant))("varied", varied);
    f("sizes", which.bindings);
  });
  ask_torch(which, call, drawn);
}

std::optional<std::string> Truth::official_refusal(const core::Case& which,
                                                   const std::vector<Guarded>& inputs,
                                                   const std::vector<Guarded>& outputs) {
  const AddElapsed elapsed{seconds_};
  const std::string call = base::json_line([&](base::Fields& f) {
    f("case", which.name);
    f.group("check", [&] {
      for (const auto& output : outputs) f(output.shape.name, output.shape.dims);
    });
  });
  return ask_torch(which, call, {{inputs, outputs}});
}

void Truth::by_torch(const core::Case& which, const std::string& precision,
                     const std::vector<Guarded>& inputs, const std::vector<Guarded>& outputs) {
  const AddElapsed elapsed{seconds_};
  ask_torch(which, torch_call(task_, which, precision), {{inputs, outputs}});
}

std::vector<ErrorPair> Truth::torch_errors(const core::Case& which, const std::string& precision,
                                           const std::vector<Guarded>& inputs,
                                           const std::vector<core::ResolvedBuffer>& outputs,
                                           const std::vector<Guarded>& expected) {
  const BufferSet results(ops_, outputs);
  by_torch(which, precision, inputs, results.all());
  std::vector<ErrorPair> errors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto distance =
        ops_.distance(results.all()[i].data, outputs[i].dtype, expected[i].data, 1);
    errors.push_back(distance.nonfinite > 0 ? ErrorPair{} : ErrorPair{distance.max, distance.rms});
  }
  return errors;
}

}  // namespace hone::judge
