#include "judge/turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "judge/call.h"
#include "judge/device_state.h"

namespace hone::judge {

namespace {

// A process that shares the device gets it in slices of about a millisecond, and an idle device answers in some tens of
// microseconds.
constexpr double usual_times = 5, shortest_busy = 3e-4;
constexpr std::chrono::milliseconds between_answers(5);

// Whether one of a few answers came at once.
bool is_idle(TurnProbe& probe, double usual, int answers) {
  const double limit = std::max(usual_times * usual, shortest_busy);
  for (int i = 0; i < answers; ++i) {
    if (probe.settle() <= limit) return true;
    probe.pause();
  }
  return false;
}

class DeviceProbe final : public TurnProbe {
 public:
  DeviceProbe(Judge& judge, const device::Span& result, runner::Runner& waiting)
      : judge_(judge), result_(result), waiting_(waiting) {}

  double settle() override { return settle_seconds(judge_.bench(), result_); }
  void pause() override { std::this_thread::sleep_for(between_answers); }
  void stop_waiting_side() override { waiting_.kill(); }
  bool others_use_device() override { return !device_state(judge_.info()).other_users.empty(); }

 private:
  Judge& judge_;
  device::Span result_;
  runner::Runner& waiting_;
};

}  // namespace

TurnState state_of_turn(TurnProbe& probe, double usual, int answers) {
  if (is_idle(probe, usual, answers)) return TurnState::idle;
  // Another program may stop by chance just when the waiting side is stopped.
  const bool others = probe.others_use_device();
  probe.stop_waiting_side();
  return is_idle(probe, usual, answers) && !others ? TurnState::waiting_side : TurnState::others;
}

// Only host code can queue work, and only where a device goes on with it. Elsewhere a side that waits stands still.
bool Turns::is_watched(Side waiting) const {
  return ready_[waiting]->candidate.language == core::Language::python &&
         core::capabilities(judge_.info()).queues_work && judge_.options().guards.on(Guard::waiting_side);
}

MaybeSideFinding Turns::begin(Side side, const std::string& case_name, const device::Span& result, double usual) {
  if (last_ == side) return std::nullopt;
  const bool is_first = !last_;
  const int answers = is_first ? first_answers : usual_answers;
  last_ = side;
  const Side waiting = other(side);
  // A process is stopped after each of its calls, and runs from when it is loaded until its first one.
  if (is_first && judge_.options().guards.on(Guard::freeze))
    if (const auto fault = ready_[waiting]->runner->freeze())
      return SideFinding{waiting, in_case(case_name, runner_failure(*fault))};
  if (!is_watched(waiting)) return std::nullopt;
  DeviceProbe probe(judge_, result, *ready_[waiting]->runner);
  switch (state_of_turn(probe, usual, answers)) {
    case TurnState::idle:
      return std::nullopt;
    case TurnState::waiting_side:
      return SideFinding{waiting,
                         in_case(case_name, conviction(core::Outcome::cheating, Guard::waiting_side,
                                                       "it kept the device busy while it was the other side's turn: "
                                                       "the device was idle as soon as its process was stopped"))};
    default:
      return SideFinding{std::nullopt,
                         in_case(case_name, rejection("not comparable now: the device is busy with something else "
                                                      "than the two candidates; end other programs"))};
  }
}

}  // namespace hone::judge
