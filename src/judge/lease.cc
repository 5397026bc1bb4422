#include "judge/lease.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/error.h"
#include "base/hash.h"

namespace hone::judge {
namespace {

// In a folder that all users of the machine share. A file left behind by an earlier process is harmless: the lock
// counts, not the file.
std::string lease_path(const core::DeviceInfo& info) {
  const char* folder = std::getenv("HONE_LEASES");
  return fmt::format("{}/hone-lease-{}", folder != nullptr && *folder != '\0' ? folder : "/tmp",
                     base::sha256_hex(info.uuid).substr(0, 16));
}

base::Fd open_for_all_users(const std::string& path) {
  const mode_t mask = ::umask(0);
  base::Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  ::umask(mask);
  // In a sticky folder, opening another user's file for writing may be refused with O_CREAT, but not without it.
  if (!file) file.reset(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  return file;
}

}  // namespace

Lease::Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting) {
  const std::string path = lease_path(info);
  const auto fail = [&] {
    base::fail(base::ExitCode::environment, "{}: the lease on {} cannot be taken: {}", path, info.id,
               base::errno_text());
  };
  file_ = open_for_all_users(path);
  if (!file_) fail();
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    [[maybe_unused]] const auto size = ::pread(file_.get(), holder, sizeof holder - 1, 0);
    waiting(fmt::format("{} is in use by hone process {}", info.id, holder));
    while (::flock(file_.get(), LOCK_EX) != 0)
      if (errno != EINTR) fail();
  }
  // The file's content only serves the message above, so a failed write does not matter.
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(file_.get(), 0) == 0) [[maybe_unused]]
    const auto written = ::pwrite(file_.get(), pid.data(), pid.size(), 0);
}

}  // namespace hone::judge
