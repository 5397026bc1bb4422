#include "judge/guards.h"

#include "base/error.h"

namespace hone::judge {
namespace {

using core::Depth;

constexpr Guard guards[] = {
    {"poison", "1, 2", Depth::screen, "outputs and scratch hold random NaNs or random bytes before every call"},
    {"launch-errors", "2", Depth::screen, "every error of every launch is read"},
    {"inputs", "4", Depth::screen, "inputs are fingerprinted before and after every call"},
    {"finite", "6", Depth::screen, "a non-finite value where the truth is finite is wrong"},
    {"secret-seeds", "7", Depth::screen,
     "seeds come from the operating system's random source and never enter the runner"},
    {"fresh-addresses", "8", Depth::screen, "buffers lie at new addresses in every call"},
    {"fresh-contents", "8, 10", Depth::screen, "calls are made on different inputs, in random order"},
    {"perturb", "9", Depth::screen, "some inputs differ from others in a few elements only"},
    {"replay", "9, 15", Depth::screen, "inputs seen before must not be answered much faster than new ones"},
    {"verify-timed", "10, 15", Depth::screen,
     "every timed output is verified; timed and verifying calls are the same calls"},
    {"freeze", "11, 17", Depth::screen, "native code is stopped whenever it is not its turn"},
    {"strangers", "17, 40", Depth::screen, "processes in the sandbox are counted after every call"},
    {"results", "18", Depth::screen,
     "what a Python candidate returns is a plain tensor of the right type, shape and device, asked by no method of its "
     "own"},
    {"late-work", "11, 16", Depth::screen,
     "on a GPU, results of host code are fingerprinted at once and again after all checks"},
    {"overlap", "11, 16", Depth::screen,
     "a call of a Python candidate alone takes no longer than one of many in a row, but for the host's time"},
    {"scratch-folder", "12", Depth::screen, "every runner has a fresh, empty folder and nothing else to write to"},
    {"judge-clock", "19, 25b", Depth::screen,
     "times agree with the judge's own clock; for native code that clock decides"},
    {"activity", "13", Depth::screen, "a sample without device activity does not count"},
    {"sample-budget", "21", Depth::screen,
     "the number of samples is decided by the judge's clock and never falls under a minimum"},
    {"floor", "22", Depth::screen, "a time that the memory's pins do not allow is rejected"},
    {"flush", "23, 25", Depth::screen, "caches are driven out before every timed call, persisting lines too"},
    {"interleave", "24", Depth::screen, "compared kernels alternate, each in its own process, over the same buffers"},
    {"precision", "26", Depth::screen, "the rms error stays within a stated multiple of an honest kernel's"},
    {"tolerance", "27, 36", Depth::screen, "the largest scaled error has a hard bound"},
    {"heavy", "28", Depth::screen, "a few large values at random places"},
    {"variants", "29, 33", Depth::screen, "shifted, flipped and large values"},
    {"values", "29", Depth::screen,
     "a time that depends on the values of its inputs is that of those on which it is slowest, and labelled"},
    {"odd-sizes", "30", Depth::screen, "the task's odd and prime cases are checked too"},
    {"globals", "32", Depth::screen, "no writable module globals and no device heap: state has nowhere to live"},
    {"stale-scratch", "32", Depth::screen,
     "one call finds its scratch as the call before left it: nothing may rest on what scratch does not hold"},
    {"canary", "35", Depth::screen, "known bytes before and behind every buffer are intact after every call"},
    {"limits", "40", Depth::screen, "time, memory, files, processes and network are limited from outside"},
    {"repeat", "34", Depth::certify,
     "the same input many times: all results within the tolerance, different ones counted"},
    {"decoy", "38", Depth::certify, "launches are left out in turn; one without effect is labelled"},
    {"sanitizer", "34, 35", Depth::certify, "memory and race checkers, where the device has them"},
};

}  // namespace

std::span<const Guard> all_guards() { return guards; }

void GuardSet::switch_off(const std::string& name) {
  for (const Guard& guard : guards)
    if (guard.name == name) {
      off_.insert(name);
      return;
    }
  std::string names;
  for (const Guard& guard : guards) names += fmt::format(" {}", guard.name);
  base::fail(base::ExitCode::usage, "there is no guard '{}'; there are:{}", name, names);
}

}  // namespace hone::judge
