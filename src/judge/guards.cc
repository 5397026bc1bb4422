#include "judge/guards.h"

#include <algorithm>

#include "base/error.h"

namespace hone::judge {
namespace {

using core::Depth;

constexpr GuardInfo guards[] = {
    {Guard::poison, "poison", "1, 2", 1, Depth::screen, ByClock::no,
     "outputs and scratch hold random NaNs or random bytes before every call"},
    {Guard::launch_errors, "launch-errors", "2", 2, Depth::screen, ByClock::no,
     "every error of every launch is read"},
    {Guard::inputs, "inputs", "4", 4, Depth::screen, ByClock::no,
     "after every call inputs have the fingerprints that they had in the pool"},
    {Guard::finite, "finite", "6", 6, Depth::screen, ByClock::no,
     "a non-finite value where the truth is finite is wrong"},
    {Guard::secret_seeds, "secret-seeds", "7", 7, Depth::screen, ByClock::no,
     "seeds come from the operating system's random source and never enter the runner"},
    {Guard::fresh_addresses, "fresh-addresses", "8", 8, Depth::screen, ByClock::no,
     "buffers lie at new addresses in every call"},
    {Guard::fresh_contents, "fresh-contents", "8, 10", 8, Depth::screen, ByClock::no,
     "calls are made on different inputs, in random order"},
    {Guard::perturb, "perturb", "9", 9, Depth::screen, ByClock::no,
     "some inputs differ from others in a few elements only"},
    {Guard::sequence, "sequence", "15, 41", 41, Depth::screen, ByClock::no,
     "variants and plain inputs, with changed signs among them, come in one random order from the "
     "first call to the last where a candidate can count calls"},
    {Guard::never_used, "never-used", "44", 44, Depth::screen, ByClock::decides,
     "some timed inputs are made for this candidate alone, where it could have learned of others"},
    {Guard::replay, "replay", "9, 15, 45", 9, Depth::screen, ByClock::decides,
     "inputs seen before must not be answered much faster than new ones"},
    {Guard::verify_timed, "verify-timed", "10, 15", 10, Depth::screen, ByClock::no,
     "timed and verifying calls are the same calls: the outputs of timed ones are verified too"},
    {Guard::freeze, "freeze", "11, 17", 17, Depth::screen, ByClock::no,
     "native code is stopped whenever it is not its turn"},
    {Guard::strangers, "strangers", "17, 40", 17, Depth::screen, ByClock::no,
     "processes in the sandbox are counted after every call"},
    {Guard::arrival, "arrival", "43, 46", 46, Depth::screen, ByClock::decides,
     "when inputs arrive, no process of the sandbox and no work on the device waits for them"},
    {Guard::results, "results", "18", 18, Depth::screen, ByClock::no,
     "what a Python candidate returns is a plain tensor of the right type, shape and device, asked "
     "by no method of its own"},
    {Guard::late_work, "late-work", "11, 16", 16, Depth::screen, ByClock::no,
     "on a GPU, results of host code are fingerprinted at once and again after all checks"},
    {Guard::overlap, "overlap", "11, 16", 11, Depth::screen, ByClock::decides,
     "a call of a Python candidate alone takes no longer than one of a batch, but for the host's "
     "time"},
    {Guard::scratch_folder, "scratch-folder", "12", 12, Depth::screen, ByClock::no,
     "every runner has a fresh, empty folder and nothing else to write to"},
    {Guard::judge_clock, "judge-clock", "19, 25b", 25, Depth::screen, ByClock::decides,
     "times agree with the judge's own clock; for native code that clock decides"},
    {Guard::activity, "activity", "13", 13, Depth::screen, ByClock::no,
     "a timed call that took no device time, or a record with nothing in it, convicts"},
    {Guard::sample_budget, "sample-budget", "21", 21, Depth::screen, ByClock::shown,
     "the number of samples is decided by the judge's clock and never falls under a minimum"},
    {Guard::floor, "floor", "22", 22, Depth::screen, ByClock::no,
     "a time that the memory's pins do not allow has the outcome below_floor"},
    {Guard::flush, "flush", "23, 25", 23, Depth::screen, ByClock::shown,
     "caches are driven out before every timed call, persisting lines too"},
    {Guard::interleave, "interleave", "24", 24, Depth::screen, ByClock::shown,
     "compared kernels alternate, each in its own process; processes of device code exchange their "
     "kernels"},
    {Guard::own_buffers, "own-buffers", "47", 47, Depth::screen, ByClock::no,
     "in a comparison, candidates that hold state have buffers of their own"},
    {Guard::waiting_side, "waiting-side", "47", 47, Depth::screen, ByClock::decides,
     "in a comparison, the device is idle when the turn changes, or the side that waits is stopped "
     "and told apart"},
    {Guard::precision, "precision", "26", 26, Depth::screen, ByClock::no,
     "the rms error stays within a stated multiple of an honest kernel's"},
    {Guard::timed_class, "timed-class", "42", 42, Depth::screen, ByClock::no,
     "the class of precision is that of every call, timed ones too, but for variants"},
    {Guard::tolerance, "tolerance", "27, 36", 36, Depth::screen, ByClock::no,
     "the largest scaled error has a hard bound"},
    {Guard::heavy, "heavy", "28", 28, Depth::screen, ByClock::no,
     "a few large values at random places"},
    {Guard::variants, "variants", "29, 33", 29, Depth::screen, ByClock::no,
     "shifted, flipped and large values"},
    {Guard::values, "values", "29", 29, Depth::screen, ByClock::decides,
     "a time that depends on the values of its inputs is that of those on which it is slowest, and "
     "labelled"},
    {Guard::odd_sizes, "odd-sizes", "30", 30, Depth::screen, ByClock::no,
     "the task's odd and prime cases are checked too"},
    {Guard::globals, "globals", "32", 32, Depth::screen, ByClock::no,
     "no writable module globals and no device heap: state has nowhere to live"},
    {Guard::stale_scratch, "stale-scratch", "32", 32, Depth::screen, ByClock::no,
     "one call finds its scratch as the call before left it: nothing may rest on what scratch does "
     "not hold"},
    {Guard::canary, "canary", "35", 35, Depth::screen, ByClock::no,
     "known bytes before and behind every buffer are intact after every call"},
    {Guard::limits, "limits", "40", 40, Depth::screen, ByClock::no,
     "time, memory, files, processes and network are limited from outside"},
    {Guard::repeat, "repeat", "34", 34, Depth::certify, ByClock::no,
     "the same input many times: all results within the tolerance, different ones counted"},
    {Guard::decoy, "decoy", "38", 38, Depth::certify, ByClock::no,
     "launches are left out in turn; one without effect is labelled"},
    {Guard::sanitizer, "sanitizer", "34, 35", 35, Depth::certify, ByClock::no,
     "a memory checker, and a race checker whose reports a differing result under a disturbed "
     "schedule confirms"},
    {Guard::worker_text, "worker-text", "48", 48, Depth::screen, ByClock::no,
     "what the candidate's process says is shown as its words, never as the judge's"},
};

}  // namespace

ByClock by_clock(Guard guard) {
  for (const GuardInfo& info : guards)
    if (info.guard == guard) return info.by_clock;
  return ByClock::no;
}

bool needs_the_clock(Guard guard) { return by_clock(guard) == ByClock::decides; }

std::span<const GuardInfo> all_guards() { return guards; }

std::string_view name_of(Guard guard) {
  if (guard == Guard::weak_check) return "weak";
  if (guard == Guard::diagnosis) return "diagnosis";
  for (const GuardInfo& info : guards)
    if (info.guard == guard) return info.name;
  return "";
}

int row_of(Guard guard) {
  constexpr int tolerance_larger_than_output = 27;
  if (guard == Guard::weak_check) return tolerance_larger_than_output;
  for (const GuardInfo& info : guards)
    if (info.guard == guard) return info.row;
  return 0;
}

Guard guard_named(std::string_view name) {
  for (const GuardInfo& info : guards)
    if (info.name == name) return info.guard;
  std::string names;
  for (const GuardInfo& info : guards) names += fmt::format(" {}", info.name);
  base::fail(base::ExitCode::usage, "there is no guard '{}'; there are:{}", name, names);
}

}  // namespace hone::judge
