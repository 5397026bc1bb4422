#pragma once
// What a server may spend in its life: evaluations, dollars for models, and minutes in which its
// processes work. It protects the machine from an agent in a loop. Booked before work begins and
// settled after it. Safe from many threads.
#include <mutex>

namespace hone::mcp {

class Budget {
 public:
  // Dollars: 0 is no limit.
  Budget(int max_evals, double max_minutes, double max_usd = 0)
      : max_evals_(max_evals), max_minutes_(max_minutes), max_usd_(max_usd) {}

  // As many evaluations as are left, up to those that are wanted (0: only minutes are). Throws
  // Error where there are none, or no minutes.
  int book(int wanted);
  void settle(int booked, int used);
  // Dollars for a run: what is wanted (0: all), up to what is left. Throws Error where nothing is.
  double book_usd(double wanted);
  void settle_usd(double booked, double used);
  // One process has worked so long. False: the minutes are used up.
  bool spend(double seconds);

  int max_evals() const { return max_evals_; }
  double max_minutes() const { return max_minutes_; }
  double max_usd() const { return max_usd_; }
  int evals() const;
  double usd() const;
  double minutes() const;

 private:
  const int max_evals_;
  const double max_minutes_, max_usd_;
  mutable std::mutex mutex_;
  int evals_ = 0;
  double seconds_ = 0, usd_ = 0;
};

}  // namespace hone::mcp
