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

// How a guard appears in verdicts, in docs/trust.md and after --without.
struct GuardInfo {
  Guard guard;
  std::string_view name;
  std::string_view rows;  // of docs/trust.md that it covers
  int row;  // of docs/trust.md that its findings name, unless a finding says otherwise; 0: none
  core::Depth depth;
  bool by_clock;  // decides by measured times: what it sees depends on how busy the machine is
  std::string_view what;
};
// The guards that convict or label by comparing measured times. Where they are off, no verdict
// depends on how busy the machine is. Not among them are guards that measure nothing themselves
// (flush, interleave) and the number of samples (sample-budget).
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
