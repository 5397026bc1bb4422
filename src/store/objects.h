#pragma once
// Large texts beside the database: files named by the hash of their content, so that equal ones are
// kept once and damage is noticed. Any number of processes and threads may use one folder.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hone::store {

// Up to here a text lives in its row: SQLite reads small ones faster than the file system opens a
// file, and one file for each would be many.
constexpr std::size_t largest_inline_text = 64u << 10;

// Where a text is: in the row, or in an object.
struct StoredText {
  std::optional<std::string> text, object;
};

class Objects {
 public:
  explicit Objects(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::string put(std::string_view contents) const;  // gives its hash; on the disk when it returns
  std::string get(
      const std::string& hash) const;  // throws Error if it is missing or not what its name says
  std::filesystem::path path_of(const std::string& hash) const;

  StoredText keep(std::string_view text) const;  // an object only if it is large
  std::string fetch(const StoredText& stored) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace hone::store
