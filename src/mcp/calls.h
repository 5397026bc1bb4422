#pragma once
// The calls of tools that a server works on: in which thread and process each runs, what it may
// spend, and the runs that go on in the background. Owned by the server; start() and the others
// from its reading thread, stop_run() and status() from any.
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "mcp/budget.h"
#include "mcp/lane.h"
#include "mcp/output.h"
#include "mcp/tool.h"

namespace hone::mcp {

class Calls {
 public:
  Calls(const Place& place, int max_evals, double max_minutes);
  ~Calls();  // ends everything

  // Answers the request when the call is done, has failed, or (a run) has begun.
  void start(std::shared_ptr<Request> request, const Tool& tool, std::string arguments);
  // Something else that takes a moment and may need an answer of a tool.
  void start(std::shared_ptr<Request> request, std::function<void(Request&)> job);
  // In the thread of the caller, which is one of a job.
  Answer answer_of(Request& request, const Tool& tool, const std::string& arguments);

  bool stop_run(const std::string& run);
  ServerStatus status();

 private:
  struct Background {
    std::string run;  // "": it has not begun
    std::atomic<bool> stop{false}, over{false};
    std::thread thread;
  };
  void run_tool(Request& request, const Tool& tool, const std::string& arguments);
  Answer apart(Request& request, const Tool& tool, const std::string& arguments,
               Background* background);
  void start_background(std::shared_ptr<Request> request, const Tool& tool, std::string arguments);
  void forget_ended_runs();

  const Place place_;
  Budget budget_;
  std::atomic<bool> ending_{false};
  std::mutex mutex_;  // of the runs
  std::list<Background> runs_;
  Lane moments_, judgements_;  // last: their threads use the others
};

// A result that tells what went wrong, as the command line tells it.
base::Description failure(const std::string& text);

}  // namespace hone::mcp
