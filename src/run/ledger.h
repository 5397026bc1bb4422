#pragma once
// The books of one run: every question to a model is looked up before it is asked, booked at its
// largest cost before it is made, and settled after. Any thread.
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "core/tree.h"
#include "llm/retry.h"
#include "run/deadline.h"
#include "run/settings.h"
#include "run/shared_archive.h"
#include "store/research.h"

namespace hone::run {

struct Reply {
  base::Result<llm::Reply, llm::Fault> answer;
  core::Cost cost;  // of all attempts of this process; of an answer from the archive, its own
};

class Ledger {
 public:
  // `cancelled`: nothing more is asked or waited for. It must live longer.
  Ledger(SharedArchive& archive, std::string run, const Budget& budget,
         const std::atomic<bool>& cancelled, const llm::RetryRule& rule = {});

  // The answer to the request's step: from the archive if it was ever received, else asked for,
  // with retries, inside the budget. What costs nothing is cancelled when the minutes are up or the
  // run is cancelled; what is paid for is still received then, and not tried again. Where several
  // questions one after the other got no answer from any model, or the first question finds no
  // connection, the fault is one that ends a run.
  Reply ask(const RoleModel& model, const llm::Request& request,
            const std::function<void(const std::string&)>& say);

  bool knows(const std::string& step);  // an answer to it was received
  store::Spending spending();
  double minutes() const;  // over all resumptions
  bool out_of_time() const { return deadline_.out_of_time(); }
  std::string spent();  // which cap was reached, in words; "": none

 private:
  struct Booked {
    std::int64_t call = 0;
    double most = 0;          // dollars
    std::int64_t tokens = 0;  // of the prompt, estimated
  };
  std::optional<llm::Fault> book(const RoleModel& model, const llm::Request& request,
                                 Booked& booked);
  store::CallEnd settle(const RoleModel& model, const Booked& booked,
                        const base::Result<llm::Reply, llm::Fault>& result, double seconds);

  // Questions without an answer since the last answer; those that were open at the same time count
  // as one.
  struct Silence {
    int questions = 0;
    std::int64_t answers = 0;  // that came before
  };
  Silence silence();
  base::Result<llm::Reply, llm::Fault> told(const Silence& before,
                                            base::Result<llm::Reply, llm::Fault> answered);

  SharedArchive& archive_;
  std::string run_;
  Budget budget_;
  double minutes_before_;  // of the commands that worked on this run before
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  llm::RetryRule rule_;
  std::mutex mutex_;
  Silence silence_;
  const llm::Cancel never_{false};
  Deadline deadline_;
};

}  // namespace hone::run
