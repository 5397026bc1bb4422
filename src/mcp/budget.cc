#include "mcp/budget.h"

#include <algorithm>

#include "base/error.h"

namespace hone::mcp {

namespace {

constexpr int least_evals = 2;  // that a comparison needs; a search with one is none

}  // namespace

int Budget::book(int wanted) {
  const std::lock_guard lock(mutex_);
  if (seconds_ >= 60 * max_minutes_)
    base::fail(base::ExitCode::usage,
               "the budget of this server is used up: it has judged for its {:g} minutes. Ask for "
               "it to be started again, or with a larger --max-minutes",
               max_minutes_);
  const int booked = std::min(wanted, max_evals_ - evals_);
  if (booked < std::min(wanted, least_evals))
    base::fail(base::ExitCode::usage,
               "the budget of this server is used up: {} of {} evaluations are done or booked. Ask "
               "for it to be started again, or with a larger --max-evals",
               evals_, max_evals_);
  evals_ += booked;
  return booked;
}

void Budget::settle(int booked, int used) {
  const std::lock_guard lock(mutex_);
  evals_ -= booked - std::clamp(used, 0, booked);
}

double Budget::book_usd(double wanted) {
  if (max_usd_ <= 0) return std::max(wanted, 0.0);
  const std::lock_guard lock(mutex_);
  const double left = max_usd_ - usd_, booked = wanted > 0 ? std::min(wanted, left) : left;
  if (booked <= 0)
    base::fail(base::ExitCode::usage,
               "the budget of this server is used up: {:g} of {:g} dollars are spent or booked. "
               "Wait for the end of a run, or ask for the server to be started again, or with a "
               "larger --max-usd",
               usd_, max_usd_);
  usd_ += booked;
  return booked;
}

void Budget::settle_usd(double booked, double used) {
  const std::lock_guard lock(mutex_);
  usd_ = max_usd_ <= 0 ? usd_ + used : usd_ - booked + std::clamp(used, 0.0, booked);
}

double Budget::usd() const {
  const std::lock_guard lock(mutex_);
  return usd_;
}

bool Budget::spend(double seconds) {
  const std::lock_guard lock(mutex_);
  seconds_ += seconds;
  return seconds_ < 60 * max_minutes_;
}

int Budget::evals() const {
  const std::lock_guard lock(mutex_);
  return evals_;
}

double Budget::minutes() const {
  const std::lock_guard lock(mutex_);
  return seconds_ / 60;
}

}  // namespace hone::mcp
