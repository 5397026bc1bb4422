#pragma once
// How a command that cannot go on says so: the reason and its remedy on standard error, and under
// --json the same as an object on standard output, so that a program always finds one document
// there. docs/formats.md describes both.
#include "base/error.h"

namespace hone::cli {

// On standard error only, for a command whose result is already on standard output. Returns the
// exit code.
int tell(const base::Error& error);
// On standard error, and under --json as {"error": {...}} on standard output.
int report(const base::Error& error, bool as_json);

}  // namespace hone::cli
