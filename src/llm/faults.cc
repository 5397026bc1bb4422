#include <array>

#include "llm/client.h"

namespace hone::llm {
namespace {

struct FaultRow {
  FaultKind kind;
  std::string_view name;
  bool worth_retrying;
};
// too_long is not: the same prompt will not fit later either. A shorter one is another request.
constexpr std::array fault_rows = {
    FaultRow{FaultKind::rate_limited, "rate_limited", true},
    FaultRow{FaultKind::server, "server", true},
    FaultRow{FaultKind::timed_out, "timed_out", true},
    FaultRow{FaultKind::cut_off, "cut_off", true},
    FaultRow{FaultKind::malformed, "malformed", true},
    FaultRow{FaultKind::too_long, "too_long", false},
    FaultRow{FaultKind::refused, "refused", false},
    FaultRow{FaultKind::empty, "empty", true},
    FaultRow{FaultKind::rejected, "rejected", false},
    FaultRow{FaultKind::exhausted, "exhausted", false},
    FaultRow{FaultKind::cancelled, "cancelled", false},
    FaultRow{FaultKind::over_budget, "over_budget", false},
    FaultRow{FaultKind::unreachable, "unreachable", true},
};

const FaultRow& row_of(FaultKind kind) {
  for (const auto& row : fault_rows)
    if (row.kind == kind) return row;
  return fault_rows[0];
}

}  // namespace

std::string_view name_of(FaultKind kind) { return row_of(kind).name; }
bool worth_retrying(FaultKind kind) { return row_of(kind).worth_retrying; }

}  // namespace hone::llm
