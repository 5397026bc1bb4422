#include "run/job_site.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::run {
namespace fs = std::filesystem;
using base::ExitCode;
using base::fail;

void JobSite::add_task(const std::string& hash, const std::map<std::string, std::string>& files) {
  texts_.try_emplace(hash, files);
}

JobResult JobSite::work(const Job& job) {
  const core::DeviceInfo& info = device_for(language_of(job));
  if (!job.candidate) return execute_probe(job, info, judging_for(job, info));
  return execute(at_this_place(job), judge_for(job), tools());
}

JobResult JobSite::work_afresh(const Job& job) {
  judge_.reset();  // gives its memory back, which the other process may need
  const core::DeviceInfo& info = device_for(language_of(job));
  return execute_afresh(at_this_place(job), info, judging_for(job, info), tools());
}

Job JobSite::at_this_place(const Job& job) {
  Job here = job;
  here.task_folder = folder_of(job.task);
  return here;
}

const core::DeviceInfo& JobSite::device_for(core::Language language) {
  const std::string usual =
      language == core::Language::python ? "" : fmt::format("{}:0", core::name_of(language));
  const std::string id = place_.device.empty() ? usual : place_.device;
  const auto known = devices_.find(id);
  if (known != devices_.end()) return known->second;
  const core::DeviceInfo info = device::find_device(id);
  if (!place_.only_model.empty() && info.name != place_.only_model)
    fail(ExitCode::environment,
         "the jobs are for {}, and {} here is {}: times of the two do not compare",
         place_.only_model, info.id, info.name);
  return devices_.emplace(id, info).first->second;
}

judge::JudgeOptions JobSite::judging_for(const Job& job, const core::DeviceInfo& info) {
  judge::JudgeOptions judging = place_.judging;
  judging.call_seconds = job.call_seconds;
  auto [ceilings, fresh] = ceilings_.try_emplace(info.id);
  if (fresh) ceilings->second = judge::ceilings_of(info, true, {judging.unsafe, judging.progress});
  judging.ceilings = ceilings->second;
  return judging;
}

judge::Judge& JobSite::judge_for(const Job& job) {
  const core::DeviceInfo& info = device_for(language_of(job));
  const std::string wanted = fmt::format("{} {} {}", job.task, info.id, job.call_seconds);
  if (judge_ && wanted == serves_) return *judge_;
  judge_.reset();  // first: it holds the device's memory
  judge_ = std::make_unique<judge::Judge>(task_for(job.task), info, judging_for(job, info));
  serves_ = wanted;
  return *judge_;
}

fs::path JobSite::folder_of(const std::string& hash) {
  const auto known = tasks_.find(hash);
  if (known != tasks_.end()) return known->second;
  const fs::path place = folder_.path() / std::to_string(folders_++);
  base::make_folder(place);
  for (const auto& [name, text] : texts_.at(hash)) base::write_file_atomically(place / name, text);
  return tasks_[hash] = place;
}

core::Task JobSite::task_for(const std::string& hash) {
  auto task = task::load_task(folder_of(hash));
  if (task && task->hash == hash && !task->external) return *std::move(task);
  forget(hash);
  if (!task)
    fail(ExitCode::bad_input, "the bundle's task: {}", task::render_with_sources(task.error()));
  fail(ExitCode::bad_input, "the bundle's task is not the one that its jobs were made for");
}

// Else one stranger's texts would stand in the way of every honest job of that task.
void JobSite::forget(const std::string& hash) {
  texts_.erase(hash);
  tasks_.erase(hash);
}

}  // namespace hone::run
