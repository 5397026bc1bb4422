#include "store/objects.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

// A rename is safe from a power cut only once its folder has been flushed.
void flush_folder(const std::filesystem::path& folder) {
  const base::Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0)
    fail(ExitCode::archive, "{}: the folder cannot be flushed to the disk: {}", folder.string(),
         base::errno_text());
}

bool holds(const std::filesystem::path& path, const std::string& hash) {
  std::error_code ec;
  return std::filesystem::is_regular_file(path, ec) &&
         base::sha256_hex(base::read_file(path)) == hash;
}

}  // namespace

std::filesystem::path Objects::path_of(const std::string& hash) const {
  constexpr std::size_t fan_out = 2;  // hexadecimal digits: 256 folders
  return folder_ / hash.substr(0, fan_out) / hash.substr(fan_out);
}

std::string Objects::put(std::string_view contents) const {
  const std::string hash = base::sha256_hex(contents);
  const auto path = path_of(hash);
  if (holds(path, hash)) return hash;
  try {
    base::make_folder(path.parent_path());
    base::write_file_atomically(path, contents);
  } catch (const base::Error& error) {
    fail(ExitCode::archive,
         "{}. Nothing recorded before is lost. Free some space, make the folder writable, or set "
         "HONE_HOME to another folder, and run the command again",
         error.what());
  }
  flush_folder(path.parent_path());
  flush_folder(folder_);
  return hash;
}

std::string Objects::get(const std::string& hash) const {
  const auto path = path_of(hash);
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec))
    fail(ExitCode::archive,
         "{}: a part of the archive is missing. Put it back from a copy of the archive's folder",
         path.string());
  std::string contents = base::read_file(path);
  if (base::sha256_hex(contents) != hash)
    fail(ExitCode::archive,
         "{}: this part of the archive is damaged: its content does not have the hash in its name. "
         "Put it back from a copy",
         path.string());
  return contents;
}

StoredText Objects::keep(std::string_view text) const {
  if (text.size() <= largest_inline_text) return {std::string(text), std::nullopt};
  return {std::nullopt, put(text)};
}

std::string Objects::fetch(const StoredText& stored) const {
  return stored.object ? get(*stored.object) : stored.text.value_or("");
}

}  // namespace hone::store
