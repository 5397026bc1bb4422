#pragma once
// A micro-profiling tool: when it applies, what it needs to know, and what it then says. All
// built-in tools stand in one visible table; a program named in the configuration can be one too.
// Tools are deterministic and see only Facts.
#include <optional>
#include <string>
#include <vector>

#include "profile/facts.h"

namespace hone::profile {

enum class Hardware : std::uint8_t { any, gpu, nvidia, cpu };
bool fits(Hardware hardware, const core::DeviceInfo& device);

struct Tool {
  std::string_view name;             // "register-spill"
  std::string_view summary;          // what it finds, one sentence, for `hone tools`
  std::vector<core::Bound> classes;  // where it may speak; empty: everywhere
  Hardware hardware = Hardware::nvidia;
  bool whole_call = false;  // looked at once, not for each launch
  std::vector<std::string_view>
      needs;  // tags without which it is left out; ending in '.' any under it
  std::string_view
      trigger;  // when it speaks, in words with its thresholds, for `hone tools --json`
  std::optional<core::Advice> (*look)(const Facts& facts);
};

// In the order they run. Each in a file src/profile/tool_*.cc, some with a relative.
const std::vector<Tool>& tools();

// A launch below this share of the call's time is not worth advice of its own.
inline constexpr double least_share = 0.05;

struct StageTwo {
  std::vector<core::Advice> advice;  // unordered, without ids
  std::vector<core::Profile::LeftOut> left_out;
};
// Every tool that fits the class and the device, on every launch that matters, then the programs.
// `programs` are command lines; each gets JSON and answers JSON (docs/profiling.md), within a
// time limit.
StageTwo run_tools(const Facts& facts, const std::vector<std::string>& programs = {});

// How often a tool was right: from the archive's ledger (store::ToolRecord says what counts), for
// the order.
struct TrackRecord {
  int followed = 0;  // experiments that cited its advice and came to an accepted kernel, so that
                     // their gain is known
  int right = 0;     // of these, gained what was promised
};
// What a tool's gains are believed to be worth, 1 while nothing is known.
double weight_of(const TrackRecord& record);
// What an advice is expected to gain, percent of the call's time: its interval times the weight,
// counted by its lower part where it is wide.
double expected_gain(const core::Interval& gain, double weight);
// By severity, which falls with the weight, then by the expected gain (docs/profiling.md); ids A1,
// A2, ... are given. The same advice comes in the same order whatever order it had.
void order(std::vector<core::Advice>& advice, const std::map<std::string, TrackRecord>& records);

// ---- for tools: gains are percent of the call's time
// What is saved of the call if this launch's time falls to a fraction of what it was, between
// `fraction_low` and `fraction_high`. The high one saves less: it makes the low end of the gain.
core::Interval gain_if(const Facts& facts, double fraction_high, double fraction_low);
std::string percent(double fraction);  // "36 %"

}  // namespace hone::profile
