#include "cli/exit_code.h"

namespace hone::cli {

base::ExitCode exit_code(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::accepted:
      return base::ExitCode::ok;
    case core::Outcome::undecided:
      return base::ExitCode::undecided;
    default:
      return base::ExitCode::not_accepted;
  }
}

base::ExitCode worse(base::ExitCode a, base::ExitCode b) {
  for (const auto code : {base::ExitCode::not_accepted, base::ExitCode::undecided})
    if (a == code || b == code) return code;
  return a;
}

}  // namespace hone::cli
