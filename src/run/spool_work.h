#pragma once
// What a worker does: claims the jobs of a spool one at a time, does each as a bundle's, and
// publishes its result. Another process shows that the worker is alive and gives back what this one
// held when it is ended (app/worker.h), so this one may be killed or crash at any point.
#include <filesystem>
#include <string>

#include "run/job_site.h"

namespace hone::run {

struct SpoolWorkOptions {
  std::filesystem::path spool;
  std::string worker;  // the name under which it has entered
  JobPlace place;
  double idle_minutes = 0;  // ends after so long without a job; 0: never
  double max_minutes = 0;   // begins no job after that; 0: no limit
  bool of_run = false;      // ends once its run has, and no job waits
};

// Returns when there is no more to do. Throws Error where the environment failed: the worker is of
// no use then, and the job, which it leaves claimed, is for another.
void work_from_spool(const SpoolWorkOptions& options);

}  // namespace hone::run
