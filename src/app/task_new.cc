#include "app/task_new.h"

#include "adapters/function_task.h"
#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "task/task_new.h"

namespace hone::app {
namespace {

using Made = TaskNewResult::Made;

// From a function of torch or NumPy.
TaskNewResult new_function_task(const TaskNewRequest& request, Sink& sink) {
  const auto [from, entry] = adapters::file_and_function(request.from);
  const auto [reference, function] = adapters::file_and_function(request.reference);
  auto made = adapters::write_function_task(
      {request.folder, from, reference, entry, function, request.example, request.seconds},
      steps_to(sink));
  sink.step({});
  return {std::move(made.files), std::move(made.notes), Made::from_function};
}

}  // namespace

TaskNewResult new_task(const TaskNewRequest& request, Sink& sink) {
  if (request.from.empty() && !(request.reference.empty() && request.example.empty()))
    base::fail(base::ExitCode::usage, "--reference and --example go with --from FILE, the kernel");
  if (adapters::file_and_function(request.from).first.extension() == ".py" ||
      !request.reference.empty() || !request.example.empty())
    return new_function_task(request, sink);
  if (request.from.empty()) return {task::write_new_task(request.folder), {}, Made::skeleton};
  return {task::write_new_task_from(request.folder, request.from), {}, Made::from_kernel};
}

void describe(base::Fields& f, const TaskNewResult& result) { f("written", result.files); }

}  // namespace hone::app
