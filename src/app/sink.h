#pragma once
// What a command tells while it works, and whether its result is still wanted. The front end
// implements it: the command line prints, a server sends events, a test records. Called from any
// thread, by one at a time.
#include <atomic>
#include <optional>
#include <string>

namespace hone::app {

// What is being done at this moment; the next step replaces it.
struct Step {
  std::string text;            // "building", "case 3 of 5"; "": nothing any more
  std::optional<double> part;  // of the whole command that is done, 0 to 1; nothing: not known
  std::optional<double> seconds_left;  // an estimate; nothing: not known
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void say(
      const std::string& sentence) = 0;  // something that is worth keeping: a line of its own
  virtual void step(const Step& step) = 0;
  // Set once the result is not wanted any more: the command ends at the next good place.
  virtual const std::atomic<bool>& cancelled() const = 0;
};

}  // namespace hone::app
