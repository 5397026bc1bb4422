#pragma once
// An evaluator outside Hone behind `--evaluator exec:COMMAND`: each request is one process, JSON in
// and JSON out (docs/models.md). A thread of its own submits, polls and fetches, as many at a
// time as the evaluator allows. Every submission is in a file before it is made and its id right
// after, so a process that was killed goes on polling instead of submitting again.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/executor.h"

namespace hone::exec {

constexpr int external_protocol = 1;

// A job's body, and a result's.
struct ExternalJob {
  std::string task;       // its name
  std::string extension;  // of the candidate's file, without the dot
  std::string source;
  std::vector<std::string> cases;  // names; the answer has exactly these
};
struct ExternalCase {
  std::string name;
  double seconds = 0, low = 0,
         high = 0;  // low and high are equal to seconds where the evaluator gives none
};
struct ExternalAnswer {
  std::vector<ExternalCase> cases;
  std::string failure;  // the evaluator's words on a candidate it refused
  std::string
      broken;  // the evaluator itself could not be talked to: nothing is known of the candidate
};
std::string to_text(const ExternalJob& job);
std::string to_text(const ExternalAnswer& answer);
base::Result<ExternalJob> external_job_from(const std::string& text);
base::Result<ExternalAnswer> external_answer_from(const std::string& text);

struct ExternalOptions {
  std::string command;  // for sh -c; one word is added: describe, submit, status, result
  std::filesystem::path
      state;  // folder for pending submissions, one for each command and run of hone
  double request_seconds = 120;                // one request may take so long
  int tries = 5;                               // of a request, before the job is `broken`
  double first_pause = 1, longest_pause = 60;  // seconds between tries, doubled each time
  double poll_seconds = 5,
         longest_poll =
             300;  // between questions for the state, where the answer has no retry_after
};
std::unique_ptr<Executor> external_executor(ExternalOptions options);

}  // namespace hone::exec
