#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/fd.h"

namespace hone::base {
namespace fs = std::filesystem;
namespace {

struct TemporaryFolders {
  std::mutex mutex;
  std::set<fs::path> paths;
};
TemporaryFolders& temporary_folders() {
  static TemporaryFolders folders;
  return folders;
}

}  // namespace

std::string read_file(const fs::path& path, std::uint64_t limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) fail(ExitCode::bad_input, "{}: cannot be read: {}", path.string(), errno_text());
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0)
    fail(ExitCode::bad_input, "{}: {}", path.string(), errno_text());
  if (!S_ISREG(info.st_mode)) fail(ExitCode::bad_input, "{}: is not a file", path.string());
  if (static_cast<std::uint64_t>(info.st_size) > limit)
    fail(ExitCode::bad_input, "{}: {} bytes are more than the {} that such a file may have",
         path.string(), info.st_size, limit);
  // The size is a hint only: files under /proc say 0.
  std::string text;
  char part[1 << 16];
  while (true) {
    const ssize_t n = ::read(fd.get(), part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(ExitCode::bad_input, "{}: cannot be read: {}", path.string(), errno_text());
    if (n == 0) return text;
    text.append(part, static_cast<std::size_t>(n));
    if (text.size() > limit)
      fail(ExitCode::bad_input, "{}: more than the {} bytes that such a file may have",
           path.string(), limit);
  }
}

void write_file_atomically(const fs::path& path, std::string_view contents) {
  // A random name: a process that was killed here may have had the same pid, and its leavings must
  // not be in the way.
  std::string aside =
      (path.parent_path() / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  const auto fail_with_reason = [&] {
    const std::string why = errno_text();
    ::unlink(aside.c_str());
    fail(ExitCode::environment, "{}: cannot be written: {}", path.string(), why);
  };
  Fd fd(::mkostemp(aside.data(), O_CLOEXEC));
  if (!fd || ::fchmod(fd.get(), 0644) != 0) fail_with_reason();
  while (!contents.empty()) {
    const ssize_t n = ::write(fd.get(), contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with_reason();
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(fd.get()) != 0) fail_with_reason();
  fd.reset();
  if (::rename(aside.c_str(), path.c_str()) != 0) fail_with_reason();
}

void make_folder(const fs::path& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec)
    fail(ExitCode::environment, "{}: the folder cannot be made: {}", folder.string(), ec.message());
}

fs::path home_folder() {
  if (const char* home = std::getenv("HONE_HOME"); home != nullptr && *home != '\0') return home;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0')
    return fs::path(data) / "hone";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".local/share/hone";
  fail(ExitCode::environment,
       "there is no home folder: set HONE_HOME to where the archive and caches may live");
}

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  std::string pattern = (fs::temp_directory_path() / (prefix + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    fail(ExitCode::environment, "{}: no temporary folder can be made: {}", pattern, errno_text());
  path_ = pattern;
  auto& [mutex, paths] = temporary_folders();
  const std::lock_guard lock(mutex);
  paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ec;
  fs::remove_all(path_, ec);
  auto& [mutex, paths] = temporary_folders();
  const std::lock_guard lock(mutex);
  paths.erase(path_);
}

void remove_temporary_folders() {
  auto& [mutex, paths] = temporary_folders();
  const std::lock_guard lock(mutex);
  std::error_code ec;
  for (const auto& path : paths) fs::remove_all(path, ec);
}

}  // namespace hone::base
