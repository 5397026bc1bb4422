#include "judge/turn.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "judge/arrival.h"
#include "judge/device_state.h"

namespace hone::judge {

namespace {

constexpr std::chrono::milliseconds between_looks(5);

// Several looks: the work of the last call may still be ending.
bool becomes_quiet(TurnProbe& probe, int looks) {
  for (int i = 0; i < looks; ++i) {
    if (probe.is_quiet()) return true;
    probe.pause();
  }
  return false;
}

class DeviceProbe final : public TurnProbe {
 public:
  DeviceProbe(Judge& judge, runner::Runner& waiting) : judge_(judge), waiting_(waiting) {}

  bool is_quiet() override { return judge::is_quiet(judge_.tensor_ops()); }
  void pause() override { std::this_thread::sleep_for(between_looks); }
  void stop_waiting_side() override { waiting_.kill(); }
  bool others_use_device() override { return !device_state(judge_.info()).other_users.empty(); }

 private:
  Judge& judge_;
  runner::Runner& waiting_;
};

}  // namespace

TurnState state_of_turn(TurnProbe& probe, int looks) {
  if (becomes_quiet(probe, looks)) return TurnState::idle;
  // Another program may stop by chance just when the waiting side is stopped.
  const bool others = probe.others_use_device();
  probe.stop_waiting_side();
  return becomes_quiet(probe, looks) && !others ? TurnState::waiting_side : TurnState::others;
}

// Only host code can queue work, and only where a device goes on with it. Elsewhere a side that
// waits stands still.
bool Turns::is_watched(Side waiting) const {
  return ready_[waiting]->candidate.language == core::Language::python &&
         core::capabilities(judge_.info()).queues_work &&
         judge_.options().guards.on(Guard::waiting_side);
}

MaybeSideFinding Turns::begin(Side side, const std::string& case_name) {
  if (last_ == side) return std::nullopt;
  const bool is_first = !last_;
  last_ = side;
  const Side waiting = other(side);
  // Before anything lets it go on.
  if (!is_first && judge_.options().guards.on(Guard::freeze) &&
      ready_[side]->runner->ran_while_frozen())
    return SideFinding{side,
                       in_case(case_name, conviction(core::Outcome::cheating, Guard::freeze,
                                                     "it was stopped while it was the other side's "
                                                     "turn and has been running all the same"))};
  // A process is stopped after each of its calls, and runs from when it is loaded until its first
  // one.
  if (is_first && judge_.options().guards.on(Guard::freeze))
    if (const auto fault = ready_[waiting]->runner->freeze())
      return SideFinding{waiting, in_case(case_name, runner_failure(*fault))};
  if (!is_watched(waiting)) return std::nullopt;
  DeviceProbe probe(judge_, *ready_[waiting]->runner);
  switch (state_of_turn(probe, is_first ? first_looks : usual_looks)) {
    case TurnState::idle:
      return std::nullopt;
    case TurnState::waiting_side:
      return SideFinding{
          waiting, in_case(case_name,
                           conviction(core::Outcome::cheating, Guard::waiting_side,
                                      "it kept the device busy while it was the other side's turn: "
                                      "the device was idle as soon as its process was stopped"))};
    default:
      return SideFinding{
          std::nullopt,
          in_case(case_name, rejection("not comparable now: the device is busy with something else "
                                       "than the two candidates; end other programs"))};
  }
}

}  // namespace hone::judge
