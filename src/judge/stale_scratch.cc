#include "judge/stale_scratch.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {

MaybeFinding check_stale_scratch(CandidateTrial& trial) {
  constexpr const char* how = "its scratch was as the call before left it, which is how it is used";
  const auto& buffers = trial.parts().plan.buffers;
  const bool has_scratch = std::any_of(buffers.begin(), buffers.end(), [](const auto& buffer) {
    return buffer.role == core::ResolvedBuffer::Role::scratch;
  });
  if (!has_scratch || trial.known().size() < 2 || !trial.guards().on(Guard::stale_scratch))
    return std::nullopt;
  const CallOptions usual = usual_call(trial.parts().judge);
  CallOptions kept = usual;
  kept.keep_scratch = true;
  // A usual call, then one that finds the first one's scratch, on other inputs.
  if (const auto before = trial.call(*trial.known()[0], usual); !before) return before.error();
  const auto called = trial.call(*trial.known()[1], kept);
  if (called) return std::nullopt;
  Finding finding = called.error();
  if (finding.outcome != core::Outcome::wrong) {
    finding.text += fmt::format(" ({})", how);
    return finding;
  }
  if (const auto again = trial.call(*trial.known()[1], usual); !again)
    return again.error();  // it was not the scratch
  return in_case(finding.case_name, conviction(finding.outcome, Guard::stale_scratch,
                                               fmt::format("{}: {}", how, finding.text)));
}

}  // namespace hone::judge
