#pragma once
// The judge judged: every specimen of cheating must be caught, every honest twin accepted; and with a guard switched
// off, its specimens must come through, or the guard is a sham. Runs on the device at hand and, for the guards of the
// clock, on the fake one. Used from one thread.
#include <functional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/evaluation.h"

namespace hone::judge {

struct SelftestOptions {
  std::string without;   // a guard: run only its specimens, with it switched off
  std::string only_row;  // "": all
  std::string kind;      // "device" or "python": only specimens of that kind
  bool unsafe = false;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct SelftestLine {
  enum class State : std::uint8_t {
    caught,     // good, with all guards on
    missed,     // bad
    through,    // good, without its guard
    held_back,  // bad: something else caught it, so the guard's switch shows nothing
    not_here,   // there is no specimen for this device, and `text` says why
  };
  State state = State::not_here;
  std::string row, title, specimen, guard, device;
  std::string verdict;  // what the judge said of the specimen, in a few words
  std::string text;     // its evidence, or the reason why there is no specimen
  std::string twin;     // what the judge said of the twin; "" where it was not asked
  std::string twin_text;
  bool false_alarm = false;  // the twin was not accepted

  bool good() const { return state != State::missed && state != State::held_back && !false_alarm; }
};

std::vector<SelftestLine> selftest(const core::DeviceInfo& info, const SelftestOptions& options);

// For each guard whether the self-test can show it on this device, by which specimens, and if not why not.
struct GuardLine {
  std::string name, rows, depth, what, specimens, reason;
};
std::vector<GuardLine> guard_lines(const core::DeviceInfo& info);

}  // namespace hone::judge
