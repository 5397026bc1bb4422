#pragma once
// The judge judged: every specimen of cheating must be caught, every honest twin accepted; and with a guard switched
// off, its specimens must come through, or the guard is a sham. Runs on the device at hand and, for some guards that go
// by the clock, on the fake one. What only the clock could show is undecided where other programs kept the machine
// busy. Used from one thread.
#include <functional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/guards.h"
#include "runner/contention.h"

namespace hone::judge {

struct SelftestOptions {
  std::string without;    // a guard: run only its specimens, with it switched off
  std::string only_row;   // "": all
  std::string kind;       // "device" or "python": only specimens of that kind
  bool no_clock = false;  // as without_clock(): for machines that may be busy
  bool unsafe = false;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
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
  bool accepted = false;             // the specimen, by the judge
  Guard convicted_by = Guard::none;  // where it was not
  bool false_alarm = false;          // the twin was not accepted
  bool twin_undecided = false;       // a guard that goes by the clock would not have it, and this machine was busy
  double outside_delay = 0;          // of what is undecided: the share of its calls' time that other programs cost it

  bool good() const { return state != State::missed && state != State::held_back && !false_alarm; }
  bool undecided() const { return state == State::undecided || twin_undecided; }
};

// The guards that convict or label by comparing measured times. Where they are off, no verdict depends on how busy the
// machine is: the specimens that only they can catch are skipped. Not among them are guards that measure nothing
// themselves (flush, interleave) and the number of samples (sample-budget): their specimens run on the fake device, or
// waste more time than any machine could.
bool needs_the_clock(Guard guard);
GuardSet without_clock(GuardSet guards = {});

// Takes back what a busy machine may have caused: a miss by a guard that goes by the clock, or what such a guard said
// of the twin. `twin_guard`: the guard that did not accept the twin, or labelled it.
void decide_if_busy(SelftestLine& line, Guard guard, const runner::Contention& specimen, Guard twin_guard,
                    const runner::Contention& twin);

std::vector<SelftestLine> selftest(const core::DeviceInfo& info, const SelftestOptions& options);

// For each guard whether the self-test can show it on this device, by which specimens, and if not why not.
struct GuardLine {
  std::string name, rows, depth, what, specimens, reason;
};
std::vector<GuardLine> guard_lines(const core::DeviceInfo& info);

}  // namespace hone::judge
