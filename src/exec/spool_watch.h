#pragma once
// Finds workers that were lost. Nothing but the content of their signs of life is looked at, and
// how long it has stayed the same by the clock of the process that looks: clocks of machines and
// times of files may be wrong. Every worker looks, and so does the run; of those that find a worker
// lost at once, one moves its folder, and its jobs go back to those that wait. A worker that was
// only stopped for a while enters again; a result that it still brings counts if it is the first.
#include <chrono>
#include <map>

#include "exec/spool.h"

namespace hone::exec {

class SpoolWatch {
 public:
  using Clock = std::chrono::steady_clock;
  SpoolWatch(Spool spool, double lost_after) : spool_(std::move(spool)), lost_after_(lost_after) {}

  // Looks once; the names of those that were found lost now. To be called several times within
  // lost_after: time in which this process itself stood still counts for a quarter of that at most.
  std::vector<std::string> look(Clock::time_point now);

 private:
  struct Seen {
    std::string sign;
    Clock::duration unchanged{};
  };
  void return_claims_of_the_lost() const;

  Spool spool_;
  std::chrono::duration<double> lost_after_;
  Clock::time_point last_{};
  std::map<std::string, Seen> seen_;
};

// The same for one file: whether the run that workers were started for is still at work.
class LifeWatch {
 public:
  using Clock = std::chrono::steady_clock;
  LifeWatch(std::filesystem::path file, double lost_after)
      : file_(std::move(file)), lost_after_(lost_after) {}
  bool lost(Clock::time_point now);

 private:
  std::filesystem::path file_;
  std::chrono::duration<double> lost_after_;
  Clock::time_point last_{};
  std::string sign_;
  Clock::duration unchanged_{};
};

}  // namespace hone::exec
