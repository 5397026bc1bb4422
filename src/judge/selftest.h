#pragma once
// The judge judged: every specimen of cheating must be caught, every honest twin accepted; and with
// a guard switched off, its specimens must come through, or the guard is a sham. Runs on the device
// at hand and, for some guards that go by the clock, on the fake one. What only the clock could
// show is undecided where other programs kept the machine busy. Used from one thread.
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/guards.h"
#include "runner/contention.h"

namespace hone::judge {

// Which specimen is being judged.
struct SelftestProgress {
  std::size_t number = 1, all = 1;     // the first is 1
  std::string specimen;                // "row 5: overruns on opencl:0"
  std::optional<double> seconds_left;  // by what the earlier ones took
};

struct SelftestOptions {
  std::string without;    // a guard: run only its specimens, with it switched off
  std::string only_row;   // "": all
  std::string kind;       // "device" or "python": only specimens of that kind
  bool no_clock = false;  // as without_clock(): for machines that may be busy
  bool unsafe = false;
  std::function<void(const SelftestProgress&)> progress = [](const SelftestProgress&) {};
  // Looked at before each specimen. Once it is set the test ends, without any lines: half of them
  // would pass for all.
  const std::atomic<bool>* cancelled = nullptr;
};

struct SelftestLine {
  enum class State : std::uint8_t {
    caught,     // good, with all guards on
    missed,     // bad
    through,    // good, without its guard
    held_back,  // bad: something else caught it, so the guard's switch shows nothing
    undecided,  // only the clock could have shown it, and this machine was busy
    not_here,   // there is no specimen for this device, and `text` says why
  };
  State state = State::not_here;
  std::string row, title, specimen, guard, device;
  std::string verdict;  // what the judge said of the specimen, in a few words
  std::string text;     // its evidence, or the reason why there is no specimen
  std::string twin;     // what the judge said of the twin; "" where it was not asked
  std::string twin_text;
  bool false_alarm = false;     // the twin was not accepted
  bool twin_undecided = false;  // the judge could not tell, because this machine was busy
  double outside_delay =
      0;  // of what is undecided: the share of its calls' time that other programs cost it

  bool good() const { return state != State::missed && state != State::held_back && !false_alarm; }
  bool undecided() const { return state == State::undecided || twin_undecided; }
};

void describe(base::Fields& fields, const SelftestLine& line);
std::string_view name_of(SelftestLine::State state);  // what should not be is in capitals: "MISSED"

// Without the guards that need the clock: the specimens that only they can catch are skipped. Those
// of other guards that decide by times (flush, interleave, sample-budget) run on the fake device,
// or waste more time than any machine could.
GuardSet without_clock(GuardSet guards = {});

// A verdict, and how busy the machine was meanwhile.
struct Tried {
  core::Outcome outcome = core::Outcome::rejected;
  runner::Contention contention;
};
// Takes back what a busy machine may have caused: that the judge is undecided about the specimen or
// its twin, and a miss by a guard that goes by the clock.
void decide_if_busy(SelftestLine& line, Guard guard, const Tried& specimen, const Tried& twin);

std::vector<SelftestLine> selftest(const core::DeviceInfo& info, const SelftestOptions& options);

// For each guard whether the self-test can show it on this device, by which specimens, and if not
// why not.
struct GuardLine {
  std::string name, rows, depth, what, specimens, reason;
};
void describe(base::Fields& fields, const GuardLine& guard);
std::vector<GuardLine> guard_lines(const core::DeviceInfo& info);

}  // namespace hone::judge
