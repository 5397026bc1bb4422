#pragma once
// Reading and writing whole files, with errors that name the file and the reason. Reading is
// bounded, because a file may be a stranger's; writing is all or nothing.
#include <cstdint>
#include <filesystem>
#include <string>

namespace hone::base {

constexpr std::uint64_t largest_text_file =
    16u << 20;  // sources and tasks; more is a mistake or an attack

std::string read_file(const std::filesystem::path& path,
                      std::uint64_t limit = std::uint64_t{1} << 32);
// Written beside its place, flushed, then renamed: a reader or a crash never sees half a file.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);
void make_folder(const std::filesystem::path& folder);

// Where Hone keeps its archive and caches: $HONE_HOME, else $XDG_DATA_HOME/hone, else
// ~/.local/share/hone.
std::filesystem::path home_folder();

// A folder that is removed with all its contents when the object goes.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Removes those that are there now: for a process that is about to end without unwinding.
void remove_temporary_folders();

}  // namespace hone::base
