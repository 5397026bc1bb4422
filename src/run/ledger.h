#pragma once
// The books of one run: every question to a model is looked up before it is asked, booked at its largest cost before it
// is made, and settled after. Any thread; the archive behind it is used by one at a time.
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "llm/retry.h"
#include "run/patience.h"
#include "run/research.h"
#include "store/research.h"

namespace hone::run {

class Ledger {
 public:
  // `leave`: nothing more is asked or waited for. It must live longer.
  Ledger(store::Archive& archive, std::string run, const ResearchBudget& budget, const std::atomic<bool>& leave,
         const llm::RetryRule& rule = {});

  const std::string& run() const { return run_; }

  // The archive for one thing at a time.
  template <typename Function>
  auto with(Function&& function) {
    const std::lock_guard lock(mutex_);
    return function(archive_);
  }

  // The answer to the request's step: from the archive if it was ever received, else asked for, with retries, inside
  // the budget. What costs nothing is given up when the minutes are up or somebody wants to leave; what is paid for is
  // still received then, and not tried again. Where nobody has answered for several questions in a row, or the first
  // question finds no connection, the fault is one that ends a run.
  base::Result<llm::Reply, llm::Fault> ask(const RoleModel& model, const llm::Request& request,
                                           const std::function<void(const std::string&)>& say);

  bool knows(const std::string& step);  // an answer to it was received
  store::Spending spending();
  double minutes() const;  // over all resumptions
  bool out_of_time() const { return patience_.out_of_time(); }
  std::string spent();  // which cap was reached, in words; "": none

 private:
  struct Booked {
    std::int64_t call = 0;
    double most = 0;          // dollars
    std::int64_t tokens = 0;  // of the prompt, estimated
  };
  std::optional<llm::Fault> book(const RoleModel& model, const llm::Request& request, Booked& booked);
  void settle(const RoleModel& model, const Booked& booked, const base::Result<llm::Reply, llm::Fault>& result,
              double seconds);

  // How often in a row nobody answered; questions that were open at the same time count as one.
  struct Silence {
    int questions = 0;
    std::int64_t answers = 0;  // that came before
  };
  Silence silence();
  base::Result<llm::Reply, llm::Fault> told(const Silence& before, base::Result<llm::Reply, llm::Fault> answered);

  store::Archive& archive_;
  std::string run_;
  ResearchBudget budget_;
  std::recursive_mutex mutex_;
  double minutes_before_;  // of the commands that worked on this run before
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  llm::RetryRule rule_;
  Silence silence_;
  const llm::Cancel never_{false};
  Patience patience_;
};

}  // namespace hone::run
