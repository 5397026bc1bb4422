#pragma once
// The loop of a run: asks the strategy, records what it decided, starts it, takes what comes back.
// One thread; models and judges work on others and post events.
#include <map>
#include <mutex>
#include <optional>

#include "run/judging.h"
#include "run/roles.h"
#include "run/run.h"
#include "run/run_parts.h"
#include "run/writers.h"
#include "search/strategy.h"

namespace hone::run {

class Driver {
 public:
  Driver(const RunRequest& request, Journal& journal, Ledger& ledger);
  ~Driver();
  RunResult work();

 private:
  // Why the run ends. Set once; the first reason stands.
  struct Stop {
    store::RunState state;
    std::string why;
  };
  void stop(store::RunState state, const std::string& why);
  void go_on_with_what_was_begun();
  void decide();
  void start(const core::DecidedAction& act);
  void wait();  // for an event
  void wait_for_all();
  bool is_quiet() const;
  bool goes_on_without(const std::string& asker, const std::string& step, const llm::Fault& fault);
  void conclude(RunResult& result);
  bool certify(core::NodeId number, core::NodeId seed,
               RunResult& result);  // false: it is not known yet
  void set_doing(const std::string& role, const std::string& what);
  void publish();

  const RunRequest& request_;
  Journal& journal_;
  Ledger& ledger_;
  std::unique_ptr<search::Strategy> strategy_;
  bool has_generations_;
  NodeReader nodes_;
  Questions questions_;
  EventQueue events_;
  JobsInFlight jobs_;
  std::mutex doing_mutex_;  // threads of the asker say what they do
  std::map<std::string, std::string> doing_;
  std::optional<Stop> stop_;
  std::string phase_, broken_;
  std::chrono::steady_clock::time_point published_{};
  // These end before what they use.
  Asker asker_;
  RunParts parts_;
  Judging judging_;
  Writers writers_;
  Roles roles_;
  std::unique_ptr<Judges> judges_;
};

}  // namespace hone::run
