#include "base/error.h"

#include <cerrno>
#include <cstring>

#include "base/fields.h"

namespace hone::base {

std::string_view name_of(ExitCode code) {
  switch (code) {
    case ExitCode::ok:
      return "ok";
    case ExitCode::not_accepted:
      return "not_accepted";
    case ExitCode::usage:
      return "usage";
    case ExitCode::bad_input:
      return "bad_input";
    case ExitCode::environment:
      return "environment";
    case ExitCode::archive:
      return "archive";
    case ExitCode::slower:
      return "slower";
    case ExitCode::same:
      return "same";
    case ExitCode::cannot_tell:
      return "cannot_tell";
    case ExitCode::undecided:
      return "undecided";
    case ExitCode::away:
      return "away";
    case ExitCode::unfinished:
      return "unfinished";
    case ExitCode::internal:
      return "internal";
    default:
      return "interrupted";
  }
}

std::string errno_text() { return std::strerror(errno); }

void describe(Fields& f, const Error& error) {
  f("code", static_cast<int>(error.code()))("kind", name_of(error.code()))("message", error.what());
}

}  // namespace hone::base
