#include "run/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace hone::run {

using base::ExitCode;

namespace {

std::filesystem::path lock_file(const std::string& kind, const std::string& id) {
  return base::home_folder() / "locks" / (kind + "-" + id);
}

}  // namespace

std::string told_state(const std::string& kind, const std::string& id, std::string_view recorded) {
  if (recorded != "running") return std::string(recorded);
  const base::Fd fd(::open(lock_file(kind, id).c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 ? "running" : "killed";
}

std::string state_text(std::string_view state, std::string_view note) {
  if (note.empty()) return std::string(state);
  if (note != resumed_note) return fmt::format("{}: {}", state, note);
  return fmt::format("{} {}", state,
                     state == "running" ? "again, resumed" : "after it was resumed");
}

base::Fd lock_run(const std::string& kind, const std::string& id) {
  const auto path = lock_file(kind, id);
  base::make_folder(path.parent_path());
  base::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd)
    base::fail(ExitCode::environment, "{} cannot be opened: {}", path.string(), base::errno_text());
  // Another process may be looking whether it is locked, for a moment.
  constexpr int tries = 5;
  constexpr auto moment = std::chrono::milliseconds(10);
  bool locked = false;
  for (int i = 0; i < tries && !locked; ++i) {
    if (i > 0) std::this_thread::sleep_for(moment);
    locked = ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
  }
  if (!locked)
    base::fail(ExitCode::environment,
               "another hone is at work on the {} run {}: wait for it, or begin another", kind, id);
  return fd;
}

}  // namespace hone::run
