#include "judge/lease.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/printable.h"

namespace hone::judge {
namespace {

// In a folder that all users of the machine share. A file left behind by an earlier process is
// harmless: the lock counts, not the file.
std::string lease_path(const core::DeviceInfo& info) {
  const char* folder = std::getenv("HONE_LEASES");
  return fmt::format("{}/hone-lease-{}", folder != nullptr && *folder != '\0' ? folder : "/tmp",
                     base::sha256_hex(info.uuid).substr(0, 16));
}

base::Fd open_for_all_users(const std::string& path) {
  // The lock is for all users of the machine, whichever of them made the file.
  const mode_t mask = ::umask(0);
  base::Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  ::umask(mask);
  // In a sticky folder, opening another user's file for writing may be refused with O_CREAT, but
  // not without it.
  if (!file) file.reset(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  return file;
}

constexpr std::size_t longest_command = 160;
constexpr std::chrono::milliseconds between_looks{20};

// The command line of this process, its words apart by spaces.
std::string own_command() {
  std::string words;
  try {
    words = base::read_file("/proc/self/cmdline");
  } catch (const base::Error&) {
    return "";
  }
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

}  // namespace

std::string to_text(const LeaseHolder& holder) {
  return fmt::format("{}\n{}\n{}\n", holder.pid, holder.since, base::printable(holder.command));
}

// The file can be written by any user, so its text is bounded and printed with care.
LeaseHolder holder_from(const std::string& text) {
  LeaseHolder holder;
  std::istringstream lines(text);
  std::string since;
  std::getline(lines, holder.pid);
  std::getline(lines, since);
  std::getline(lines, holder.command);
  holder.since = std::strtoll(since.c_str(), nullptr, 10);
  holder.pid = base::printable(holder.pid);
  holder.command = base::printable(holder.command);
  if (holder.command.size() > longest_command)
    holder.command = holder.command.substr(0, longest_command) + " …";
  return holder;
}

std::string waiting_text(const std::string& device, const LeaseHolder& holder, std::int64_t now) {
  std::string text = fmt::format("waiting for {}, which process {} uses", device, holder.pid);
  if (!holder.command.empty()) text += fmt::format(" ({})", holder.command);
  const std::int64_t seconds = now - holder.since;
  if (holder.since <= 0 || seconds < 0) return text;
  return text + (seconds < 120 ? fmt::format(" since {} s", seconds)
                               : fmt::format(" since {} min", seconds / 60));
}

Lease::Lease(const core::DeviceInfo& info, const std::function<void(const std::string&)>& waiting,
             std::optional<Clock::time_point> deadline) {
  const std::string path = lease_path(info);
  const auto fail = [&] {
    base::fail(base::ExitCode::environment, "{}: the lease on {} cannot be taken: {}", path,
               info.id, base::errno_text());
  };
  file_ = open_for_all_users(path);
  if (!file_) fail();
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    char text[4096] = {};
    [[maybe_unused]] const auto size = ::pread(file_.get(), text, sizeof text - 1, 0);
    const LeaseHolder holder = holder_from(text);
    waiting(waiting_text(info.id, holder, std::time(nullptr)));
    while (::flock(file_.get(), deadline ? LOCK_EX | LOCK_NB : LOCK_EX) != 0) {
      if (errno != EINTR && errno != EWOULDBLOCK) fail();
      if (deadline && Clock::now() >= *deadline)
        base::fail(base::ExitCode::environment, "the time was up (--max-seconds) while {}",
                   waiting_text(info.id, holder, std::time(nullptr)));
      if (deadline) std::this_thread::sleep_for(between_looks);
    }
  }
  // The file's content only serves the message above, so a failed write does not matter.
  const std::string text = to_text({std::to_string(::getpid()), own_command(), std::time(nullptr)});
  if (::ftruncate(file_.get(), 0) == 0) [[maybe_unused]]
    const auto written = ::pwrite(file_.get(), text.data(), text.size(), 0);
}

}  // namespace hone::judge
