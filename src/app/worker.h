#pragma once
// `hone worker`: takes jobs from a spool until it is told to end. This process shows that the
// worker is alive, finds other workers that were lost, and watches over a second one, which does
// the work (run/spool_work.h) and may crash; when it ends it gives back what is not done.
#include <string>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct WorkerRequest : CommonOptions {
  std::string spool;
  double idle_minutes = 0, max_minutes = 0;  // 0: no limit
  bool of_run = false;                       // started for a run, and ends after it
  std::string as;  // set by hone itself for the process that does the work: the worker's name
};
struct WorkerResult {
  std::string worker;      // its name in the spool
  std::uint64_t done = 0;  // jobs
};
// Throws Error where the environment failed; the jobs are then for other workers.
WorkerResult work_for_spool(const WorkerRequest& request, Sink& sink);
void describe(base::Fields& fields, const WorkerResult& result);

// In the process that does the work.
void do_work_of_spool(const WorkerRequest& request);

}  // namespace hone::app
