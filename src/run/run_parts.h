#pragma once
// What the parts of a run at work share: everything but the decisions. The driver owns it; its
// thread only.
#include <functional>
#include <string>

#include "run/asker.h"
#include "run/context.h"
#include "run/jobs_in_flight.h"
#include "run/journal.h"
#include "run/ledger.h"
#include "run/questions.h"

namespace hone::run {

struct RunParts {
  const RunContext& context;
  Journal& journal;
  const NodeReader& nodes;
  Questions& questions;
  Asker& asker;
  JobsInFlight& jobs;
  const std::atomic<bool>& cancelled;

  std::function<void(const std::string&)> say;  // a sentence that lasts
  std::function<void(const std::string&, const std::string&)>
      doing;  // a role, and what it does; "": nothing more
  // A question without an answer. True: the run goes on without it. False: the run stops, and the
  // question stays open.
  std::function<bool(const std::string& asker, const std::string& step, const llm::Fault&)>
      goes_on_without;
  std::function<void(const JobDone&)> job_failed;  // the environment failed: the run stops
};

}  // namespace hone::run
