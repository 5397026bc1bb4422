#pragma once
// The guards: what each protects against, at which depth, and how it is named. A guard can be
// switched off for the self-test only, to show that it, and nothing else, catches its specimen.
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/evaluation.h"

namespace hone::judge {

enum class Guard : std::uint8_t {
  none,        // a finding that no guard made: a broken plan, a build error
  weak_check,  // labels problems whose own check proves little; cannot be switched off
  diagnosis,   // says what went wrong where something convicted already; likewise
  poison,
  launch_errors,
  inputs,
  finite,
  secret_seeds,
  fresh_addresses,
  fresh_contents,
  perturb,
  sequence,
  never_used,
  replay,
  verify_timed,
  freeze,
  strangers,
  arrival,
  results,
  late_work,
  overlap,
  scratch_folder,
  judge_clock,
  activity,
  sample_budget,
  floor,
  flush,
  interleave,
  own_buffers,
  waiting_side,
  precision,
  timed_class,
  tolerance,
  heavy,
  variants,
  values,
  odd_sizes,
  globals,
  stale_scratch,
  canary,
  limits,
  repeat,
  decoy,
  sanitizer,
  worker_text,
  count_,
};

// What measured times, and so how busy the machine is, have to do with a guard.
enum class ByClock : std::uint8_t {
  no,
  shown,   // it measures nothing itself, but its specimen is told from others by times
  decides  // it convicts or labels by comparing measured times
};

// How a guard appears in verdicts, in docs/trust.md and after --without.
struct GuardInfo {
  Guard guard;
  std::string_view name;
  std::string_view rows;  // of docs/trust.md that it covers
  int row;  // of docs/trust.md that its findings name, unless a finding says otherwise; 0: none
  core::Depth depth;
  ByClock by_clock;
  std::string_view what;
};
ByClock by_clock(Guard guard);
// Whether it decides by the clock. Where all that do are off, no verdict depends on how busy the
// machine is. docs/trust.md lists them.
bool needs_the_clock(Guard guard);
std::span<const GuardInfo> all_guards();  // those that can be switched off
std::string_view name_of(Guard guard);    // "" for none
int row_of(Guard guard);
Guard guard_named(std::string_view name);  // throws Error with the list of names

class GuardSet {
 public:
  void switch_off(Guard guard) { off_.set(static_cast<std::size_t>(guard)); }
  bool on(Guard guard) const { return !off_.test(static_cast<std::size_t>(guard)); }
  bool complete() const { return off_.none(); }

 private:
  std::bitset<static_cast<std::size_t>(Guard::count_)> off_;
};

}  // namespace hone::judge
