#pragma once
// One process at a time works on a run. The lock is the kernel's, on a file in the home folder: it
// goes with the process, however that ends.
#include <string>
#include <string_view>

#include "base/fd.h"

namespace hone::run {

// Throws Error where another process has it.
base::Fd lock_run(const std::string& kind, const std::string& id);

// The state to tell of a run whose record says `recorded`: a run that says it is running and that
// no process of this home works on was killed.
std::string told_state(const std::string& kind, const std::string& id, std::string_view recorded);

// That state for a person, with the note that was recorded with it: "finished: the candidates are
// spent", "killed after it was resumed".
inline constexpr std::string_view resumed_note = "resumed";  // of a run that is at work again
std::string state_text(std::string_view state, std::string_view note);

}  // namespace hone::run
