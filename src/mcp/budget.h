#pragma once
// What a server may spend in its life: evaluations, and minutes in which its processes work. It
// protects the machine from an agent in a loop. Booked before work begins and settled after it.
// Safe from many threads.
#include <mutex>

namespace hone::mcp {

class Budget {
 public:
  Budget(int max_evals, double max_minutes) : max_evals_(max_evals), max_minutes_(max_minutes) {}

  // As many evaluations as are left, up to those that are wanted (0: only minutes are). Throws
  // Error where there are none, or no minutes.
  int book(int wanted);
  void settle(int booked, int used);
  // One process has worked so long. False: the minutes are used up.
  bool spend(double seconds);

  int max_evals() const { return max_evals_; }
  double max_minutes() const { return max_minutes_; }
  int evals() const;
  double minutes() const;

 private:
  const int max_evals_;
  const double max_minutes_;
  mutable std::mutex mutex_;
  int evals_ = 0;
  double seconds_ = 0;
};

}  // namespace hone::mcp
