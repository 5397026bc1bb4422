#pragma once
// A file of records that may travel, be cut short by a crash, or come from a stranger. After a
// title line each record is
//     KIND LENGTH HASH CHECK\n BODY \n
// where HASH covers the body and everything before it, and CHECK the three words in front of it. So
// a reader knows a record that was never finished (the file ends too early) from one that was
// changed.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace hone::exec {

constexpr std::uint64_t largest_record = 64u << 20, largest_record_file = std::uint64_t{1} << 30;

struct BundleRecord {
  std::string kind;  // small letters
  std::string body;
};

struct Records {
  std::vector<BundleRecord> all;
  std::string hash;          // over all of them, in order
  std::uint64_t length = 0;  // bytes that are whole
  bool cut = false;          // the file ends within a record
};

// `kind_of_file` and `version` make the title: "hone bundle 1". The failure is a sentence.
base::Result<Records> parse_records(std::string_view bytes, const std::string& kind_of_file,
                                    int version);
base::Result<Records> read_records(const std::filesystem::path& path,
                                   const std::string& kind_of_file, int version);

// A whole file of them, to be written at once.
std::string write_records(const std::vector<BundleRecord>& records, const std::string& kind_of_file,
                          int version);
std::string hash_of(const std::vector<BundleRecord>& records, const std::string& kind_of_file,
                    int version);

// Appends to a file, one process at a time; each record is on the disk when append() returns. A
// record that an earlier process left unfinished is cut off. Throws Error where the file is
// damaged, of another kind, or in use.
class RecordLog {
 public:
  RecordLog(const std::filesystem::path& path, const std::string& kind_of_file, int version);
  const Records& records() const { return records_; }
  void append(const std::string& kind, const std::string& body);

 private:
  void write(std::string_view bytes);
  std::filesystem::path path_;
  base::Fd file_;
  Records records_;
};

}  // namespace hone::exec
