#pragma once
// Where jobs that came as texts are done, whatever brought them: the devices of this machine, the
// tasks that came along, as folders of files, and a judge for the task at hand, kept from job to
// job so that pools are drawn once. One thread.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "run/job.h"

namespace hone::run {

struct JobPlace {
  std::string device;      // its id; "": the first of each job's language
  std::string only_model;  // another device is an error; "": any
  judge::JudgeOptions judging;
  std::vector<std::string> pass_on;  // options of hone for fresh processes
};

class JobSite {
 public:
  explicit JobSite(JobPlace place) : place_(std::move(place)), folder_("hone-bundle") {}

  // By file name, its texts. A task that is known already stays as it is; one whose texts turn out
  // not to have this hash is forgotten.
  void add_task(const std::string& hash, const std::map<std::string, std::string>& files);

  // Throws Error where there is no such device, or the task cannot be loaded.
  JobResult work(const Job& job);
  JobResult work_afresh(const Job& job);  // by a process of its own
  judge::Judge& judge_for(const Job& job);
  Job at_this_place(const Job& job);  // the task's folder is another one here
  JobTools tools() const { return {place_.pass_on}; }
  const core::DeviceInfo& device_for(core::Language language);

 private:
  judge::JudgeOptions judging_for(const Job& job, const core::DeviceInfo& info);
  std::filesystem::path folder_of(const std::string& hash);
  core::Task task_for(const std::string& hash);
  void forget(const std::string& hash);

  JobPlace place_;
  base::TemporaryFolder folder_;
  int folders_ = 0;                                                  // made in it
  std::map<std::string, std::map<std::string, std::string>> texts_;  // of tasks, by hash
  std::map<std::string, std::filesystem::path> tasks_;
  std::map<std::string, core::DeviceInfo> devices_;
  std::map<std::string, core::Ceilings> ceilings_;
  std::unique_ptr<judge::Judge> judge_;
  std::string serves_;
};

}  // namespace hone::run
