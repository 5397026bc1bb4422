#pragma once
// Whose turn it is in a comparison. On a GPU a process that is stopped goes on working: what it has
// queued still runs. So before each change of turn the device is asked whether it is idle. If it is
// not, the side that waits is stopped for good; if the device is idle then, it was that side's
// work, and that side is convicted. Either way there is no comparison, and nothing is said against
// the side whose turn it was. On the judge's thread.
//
// The side whose turn begins cannot bring this about: it was the waiting side before, when the
// device was idle. Since then it stood still, and nothing has touched its buffers, so nothing of it
// can have started in between.
#include <cstdint>
#include <optional>
#include <string>

#include "judge/compare_sides.h"
#include "judge/load.h"

namespace hone::judge {

// How often a device may be found at work before it counts as busy: a queue that is to delay the
// other side lasts. At first it may be finishing what a candidate does when it is loaded.
constexpr int usual_looks = 10, first_looks = 200;

// What is asked of the device, and done to the side that waits. A test scripts it.
class TurnProbe {
 public:
  virtual ~TurnProbe() = default;
  virtual bool is_quiet() = 0;  // whether nothing but the judge works on the device
  virtual void pause() = 0;     // before it is looked at again
  virtual void stop_waiting_side() = 0;
  virtual bool others_use_device() = 0;  // programs that have nothing to do with this comparison
};

enum class TurnState : std::uint8_t {
  idle,
  waiting_side,  // kept the device busy: without it the device is idle
  others,        // keep it busy, or may do so: nothing can be told
};
TurnState state_of_turn(TurnProbe& probe, int looks = usual_looks);

class Turns {
 public:
  Turns(Judge& judge, const Both<Ready*>& ready) : judge_(judge), ready_(ready) {}
  // To be called before a side is: looks only where the turn changes.
  MaybeSideFinding begin(Side side, const std::string& case_name);

 private:
  bool is_watched(Side waiting) const;

  Judge& judge_;
  const Both<Ready*>& ready_;
  std::optional<Side> last_;
};

}  // namespace hone::judge
