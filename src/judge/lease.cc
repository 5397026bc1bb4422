#include "judge/lease.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/error.h"
#include "base/hash.h"

namespace hone::judge {

Lease::Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting) {
  // In a folder that all users of the machine share; the lock is on the file, so a stale one means nothing.
  const char* folder = std::getenv("HONE_LEASES");
  const std::string path = fmt::format("{}/hone-lease-{}", folder != nullptr && *folder != '\0' ? folder : "/tmp",
                                       base::sha256_hex(info.uuid).substr(0, 16));
  const mode_t mask = ::umask(0);
  file_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  ::umask(mask);
  // Sticky folders may refuse to open somebody else's file for writing with O_CREAT; without it they do not.
  if (!file_) file_.reset(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file_)
    base::fail(base::ExitCode::environment, "{}: the lease on {} cannot be taken: {}", path, info.id,
               base::errno_text());
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    [[maybe_unused]] const auto size = ::pread(file_.get(), holder, sizeof holder - 1, 0);
    waiting(fmt::format("{} is in use by hone process {}", info.id, holder));
    while (::flock(file_.get(), LOCK_EX) != 0)
      if (errno != EINTR)
        base::fail(base::ExitCode::environment, "{}: the lease on {} cannot be taken: {}", path, info.id,
                   base::errno_text());
  }
  const std::string me = std::to_string(::getpid());
  if (::ftruncate(file_.get(), 0) == 0) [[maybe_unused]]
    const auto written = ::pwrite(file_.get(), me.data(), me.size(), 0);
}

}  // namespace hone::judge
