#include "app/tasks.h"

#include <algorithm>

#include "agents/mission_values.h"
#include "agents/task_text.h"
#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "device/device.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 4;               // folders below the one that is named
constexpr std::size_t most_tasks = 200;  // KernelBench's are named by their numbers, not listed
constexpr std::size_t most_entries = 20'000;  // a folder with more is a home folder, or an attack

ListedTask listed(const fs::path& folder) {
  ListedTask line{folder.lexically_normal().string(), folder.filename().string(), {}, {}, {}};
  const auto task = task::load_task(folder);
  if (!task) {
    line.mistake = task::render_with_sources(task.error());
    return line;
  }
  line.name = task->name;
  line.summary = task->summary;
  for (const auto& [text, name] : {std::pair{&task->seed_cu, "seed.cu"},
                                   {&task->seed_cl, "seed.cl"},
                                   {&task->seed_py, "seed.py"}})
    if (*text) line.seeds.push_back(name);
  return line;
}

core::DeviceInfo device_of(const DescribeTaskRequest& request, const core::Task& task) {
  if (!request.device.empty()) return device::find_device(request.device);
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (info.language != core::Language::fake &&
          (info.language == core::Language::cuda || !task.seed_cu || task.seed_cl))
        return info;
  base::fail(base::ExitCode::environment,
             "there is no device here: hone doctor says what is missing");
}

std::string rules(const agents::Mission& mission) {
  const auto values = agents::writing_values(mission);
  return values.texts.at("format") + "\n\n" + values.texts.at("judging");
}

}  // namespace

TasksResult tasks(const TasksRequest& request) {
  TasksResult result;
  const fs::path top = request.folder.empty() ? fs::path(".") : fs::path(request.folder);
  std::error_code ec;
  if (!fs::is_directory(top, ec))
    base::fail(base::ExitCode::bad_input, "{}: there is no such folder", top.string());
  std::vector<fs::path> folders;
  if (fs::exists(top / "task.toml", ec)) folders.push_back(top);
  std::size_t entries = 0;
  const auto options = fs::directory_options::skip_permission_denied;  // and links are not followed
  for (auto at = fs::recursive_directory_iterator(top, options, ec);
       at != fs::recursive_directory_iterator(); at.increment(ec)) {
    if (++entries > most_entries || folders.size() >= most_tasks) result.complete = false;
    if (ec || !result.complete) break;
    if (!at->is_directory(ec) || at->is_symlink(ec)) continue;
    if (at.depth() + 1 >= deepest || at->path().filename().string().starts_with('.'))
      at.disable_recursion_pending();
    if (fs::exists(at->path() / "task.toml", ec)) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const auto& folder : folders) result.tasks.push_back(listed(folder));
  return result;
}

void describe(base::Fields& f, const TasksResult& result) {
  f.list("tasks", result.tasks, [&](const ListedTask& task) {
    f("task", task.task, "What other requests name it by.");
    f("name", task.name)("summary", task.summary)("seeds", task.seeds);
    f.sparse("mistake", task.mistake);
  });
  f("complete", result.complete);
}

DescribedTask describe_task(const DescribeTaskRequest& request, Sink& sink) {
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  const core::DeviceInfo device = device_of(request, task);
  const auto mission = agents::mission_for(task, device);
  DescribedTask result{task.name, task.folder.string(), device.name, agents::task_text(mission),
                       agents::reference_text(mission)};
  // Those that the device can run.
  const auto add = [&](const auto& text, core::Language language, const char* name) {
    if (text && core::can_run(language, device))
      result.seeds.push_back({(task.folder / name).string(), *text});
  };
  add(task.seed_cu, core::Language::cuda, "seed.cu");
  add(task.seed_cl, core::Language::opencl, "seed.cl");
  add(task.seed_py, core::Language::python, "seed.py");
  if (!request.format) return result;
  result.format = rules(mission);
  if (task.interface && core::can_run(core::Language::python, device))
    result.format += "\n\nA candidate may also be written in Python.\n" +
                     rules(agents::mission_for(task, device, true));
  return result;
}

void describe(base::Fields& f, const DescribedTask& task) {
  f("name", task.name)("folder", task.folder)("device", task.device);
  f("text", task.text)("reference", task.reference);
  f.list("seeds", task.seeds,
         [&](const DescribedTask::Seed& seed) { f("file", seed.file)("source", seed.source); });
  f.sparse("format", task.format);
}

}  // namespace hone::app
