#include "profile/cpu_binary.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/fd.h"

namespace hone::profile {
namespace {

using base::Fd;

constexpr std::size_t most_names = 256;            // in a folder; PoCL makes a handful
constexpr std::size_t largest_binary = 32u << 20;  // bytes; a kernel takes tens of thousands

Fd open_below(int folder, const std::string& path, std::uint64_t flags) {
  open_how how{};
  how.flags = flags | O_CLOEXEC | O_NONBLOCK;  // what pretends to be a file may be a pipe
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Fd(static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how)));
}

std::vector<std::string> names_in(int parent, const std::string& path) {
  Fd fd = open_below(parent, path, O_RDONLY | O_DIRECTORY);
  if (!fd) return {};
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(fd.get()), ::closedir);
  if (!folder) return {};
  (void)fd.release();
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    names.emplace_back(entry->d_name);
    if (names.size() == most_names) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_below(int parent, const std::string& path) {
  const Fd fd = open_below(parent, path, O_RDONLY);
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return "";
  std::string contents;
  char part[1 << 16];
  for (ssize_t n = 0; (n = ::read(fd.get(), part, sizeof part)) > 0;) {
    contents.append(part, static_cast<std::size_t>(n));
    if (contents.size() > largest_binary) return "";
  }
  return contents;
}

}  // namespace

int best_variant(const std::vector<std::string>& names, const core::Dim3& block) {
  const std::string own = fmt::format("{}-{}-{}", block[0], block[1], block[2]);
  int best = -1, merit = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool exact = names[i] == own || names[i].starts_with(own + "-");
    const bool any = names[i] == "0-0-0" || names[i].starts_with("0-0-0-");  // made for every size
    const int worth = exact ? (names[i].find("smallgrid") == std::string::npos ? 3 : 2)
                      : any ? 1
                            : 0;
    if (worth > merit) {
      best = static_cast<int>(i);
      merit = worth;
    }
  }
  return best;
}

// CACHE/xx/HASH/KERNEL/VARIANT/KERNEL.so
base::Result<std::string> kernel_binary(pid_t runner, const core::ResolvedLaunch& launch) {
  const Fd root(
      ::open(fmt::format("/proc/{}/root", runner).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root)
    return base::Failure{"the runner's folders cannot be looked into: " + base::errno_text()};
  const std::string cache = "tmp/pocl";
  for (const auto& first : names_in(root.get(), cache))
    for (const auto& program : names_in(root.get(), cache + "/" + first)) {
      const std::string folder = fmt::format("{}/{}/{}/{}", cache, first, program, launch.kernel);
      const auto variants = names_in(root.get(), folder);
      const int best = best_variant(variants, launch.block);
      if (best < 0) continue;
      auto binary =
          read_below(root.get(), fmt::format("{}/{}/{}.so", folder, variants[best], launch.kernel));
      if (!binary.empty()) return binary;
    }
  return base::Failure{
      fmt::format("the driver's cache holds no machine code of {}", launch.kernel)};
}

}  // namespace hone::profile
