#include "judge/arrival.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/words.h"
#include "judge/device_state.h"

namespace hone::judge {

using core::Outcome;

namespace {

constexpr int helper_process = 46, queued_work = 43;  // rows of docs/trust.md
// On an H200 a watch has gaps of 10 µs at most, and of 0.29 ms or more beside a kernel or copy of
// another process, however small that is.
constexpr double longest_own_gap = 1e-4;
// A process that wants the device beside a watch gets it after 2.3 ms there.
constexpr std::chrono::microseconds turn(4000);

Finding cheating(int row, std::string text) {
  Finding finding = conviction(Outcome::cheating, Guard::arrival, std::move(text));
  finding.row = row;
  return finding;
}

Finding busy(const ArrivalTally& tally, const core::DeviceInfo& info) {
  if (!device_state(info).other_users.empty())
    return undecided(Guard::arrival,
                     "the device was at work before a call began, and other programs use it: end "
                     "them, and try again");
  return cheating(queued_work,
                  fmt::format("in {} of {} calls the device was at work when inputs had come and "
                              "the call had not begun: work was queued that waits for the inputs",
                              tally.busy(), tally.calls()));
}

}  // namespace

bool is_of_another(double gap) { return gap > longest_own_gap; }

// The judge's own small kernel runs without a pause, and notes its longest gap: another process's
// work shows as one.
bool is_quiet(device::TensorOps& ops) {
  ops.begin_watch();
  std::this_thread::sleep_for(turn);
  return !is_of_another(ops.end_watch());
}

void ArrivalTally::add(double longest_gap) {
  ++calls_;
  if (is_of_another(longest_gap)) ++busy_;
}

// Comparisons go by means, where a quarter of the calls is worth something; three are no accident.
bool ArrivalTally::convicts() const {
  constexpr int fewest_busy = 3, one_in = 4;
  return busy_ >= fewest_busy && one_in * busy_ >= calls_;
}

Arrival::Arrival(device::TensorOps& ops, Secrets& secrets, const GuardSet& guards,
                 const core::DeviceInfo& info)
    : ops_(ops),
      secrets_(secrets),
      guards_(guards),
      info_(info),
      device_(core::capabilities(info)) {}

MaybeFinding Arrival::check_processes(const BoundCandidate& bound) const {
  if (!guards_.on(Guard::arrival) || !guards_.on(Guard::strangers)) return std::nullopt;
  if (!device_.native_code && !bound.has_host_code) return std::nullopt;
  // The runner is stopped, so that none can be started from now on.
  const auto others = bound.runner->other_processes();
  if (others.empty()) return std::nullopt;
  return cheating(
      helper_process,
      fmt::format("besides the runner, {} alive in its sandbox when its inputs were about to come",
                  base::counted(static_cast<std::int64_t>(others.size()), "process")));
}

int Arrival::begin(const BoundCandidate& bound) {
  watches_ = guards_.on(Guard::arrival) && bound.has_host_code && device_.queues_work;
  if (!watches_) return 0;
  // None in half of the calls, one or two in the others: work that waits for the second change is
  // of use in a quarter.
  constexpr std::uint64_t kinds = 4;
  const std::uint64_t kind = secrets_.below(kinds);
  const int others = kind < 2 ? 0 : kind == 2 ? 1 : 2;
  others_first_ = others > 0;
  ops_.begin_watch();
  return others;
}

void Arrival::wait_for_turn() const { std::this_thread::sleep_for(turn); }

MaybeFinding Arrival::end() {
  if (!watches_) return std::nullopt;
  watches_ = false;
  const double longest_gap = ops_.end_watch();
  // A short watch keeps others from working rather than noticing them.
  if (others_first_ || is_of_another(longest_gap)) tally_.add(longest_gap);
  return tally_.convicts() ? MaybeFinding(busy(tally_, info_)) : std::nullopt;
}

}  // namespace hone::judge
