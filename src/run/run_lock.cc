#include "run/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include "base/error.h"
#include "base/files.h"

namespace hone::run {

using base::ExitCode;

base::Fd lock_run(const std::string& kind, const std::string& id) {
  const auto folder = base::home_folder() / "locks";
  base::make_folder(folder);
  const auto path = folder / (kind + "-" + id);
  base::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) base::fail(ExitCode::environment, "{} cannot be opened: {}", path.string(), base::errno_text());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
    base::fail(ExitCode::environment, "another hone is at work on the {} run {}: wait for it, or begin another", kind,
               id);
  return fd;
}

}  // namespace hone::run
