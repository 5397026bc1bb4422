#pragma once
// Where the jobs of a run are done: by our own judge here, one device or several (judge_queue.h);
// on another machine, by files (remote_judges.h); or by an external evaluator (external_judges.h).
// Jobs are handed over and their results come back on other threads.
#include <functional>
#include <optional>
#include <string>

#include "exec/executor.h"
#include "run/job.h"

namespace hone::run {

struct JobDone {
  enum class State {
    done,       // there is a result
    away,       // it waits on another machine, and the result comes with a person
    cancelled,  // nothing is known of it
    broken      // the environment failed: `why` says how, and the run cannot go on
  };
  std::string name;  // the job's
  State state = State::done;
  std::optional<JobResult> result;
  std::string why;
};
using JobCallback = std::function<void(JobDone)>;

class Judges {
 public:
  virtual ~Judges() = default;
  virtual void submit(Job job) = 0;
  virtual bool profiles() const = 0;   // profiles can be had
  virtual bool away() const = 0;       // jobs leave this machine, and results come with a person
  virtual bool certifies() const = 0;  // candidates are compared and certified
  virtual std::string describe() const = 0;
  // The workers that do the jobs, where there are any.
  virtual std::optional<exec::WorkerCounts> workers() const { return std::nullopt; }
  // How long devices here have worked on jobs, all together.
  virtual double busy_seconds() const { return 0; }
};

}  // namespace hone::run
