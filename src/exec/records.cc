#include "exec/records.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"

namespace hone::exec {
namespace {

using base::ExitCode;
using base::fail;
using base::Failure;

constexpr std::size_t hash_digits = 64, check_digits = 8;
constexpr std::size_t longest_line = 128;  // of a record's first line: kind, length, hash, check

std::string title_of(const std::string& kind, int version) {
  return fmt::format("hone {} {}\n", kind, version);
}

std::string next_hash(const std::string& before, std::string_view kind, std::string_view body) {
  return base::Hasher().add(before).add(kind).add(body).hex();
}

std::string check_of(std::string_view words) {
  return base::sha256_hex(words).substr(0, check_digits);
}

std::string text_of(const BundleRecord& record, const std::string& hash) {
  const std::string words = fmt::format("{} {} {}", record.kind, record.body.size(), hash);
  return fmt::format("{} {}\n{}\n", words, check_of(words), record.body);
}

struct Line {
  std::string_view kind, hash;
  std::uint64_t length = 0;
};

std::optional<Line> parse_line(std::string_view line) {
  std::array<std::string_view, 4> words;
  std::size_t from = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end = i + 1 < words.size() ? line.find(' ', from) : line.size();
    if (end == std::string_view::npos) return std::nullopt;
    words[i] = line.substr(from, end - from);
    from = end + 1;
  }
  const auto& [kind, length, hash, check] = words;
  if (check_of(line.substr(0, line.size() - std::min(line.size(), check.size() + 1))) != check)
    return std::nullopt;
  Line parsed{kind, hash, 0};
  const auto [end, ec] =
      std::from_chars(length.data(), length.data() + length.size(), parsed.length);
  if (ec != std::errc() || end != length.data() + length.size() || hash.size() != hash_digits)
    return std::nullopt;
  return parsed;
}

std::string wrong_title(std::string_view bytes, const std::string& kind, int version) {
  const std::string start = fmt::format("hone {} ", kind);
  if (!bytes.starts_with(start)) return fmt::format("this is no file of hone's kind '{}'", kind);
  const std::string_view rest = bytes.substr(start.size(), 12);
  int other = 0;
  const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), other);
  if (ec != std::errc() || other == version || end == rest.data() + rest.size() || *end != '\n')
    return "it is damaged in its first line";
  return fmt::format(
      "it has version {} of the format, and this hone knows version {}: use the same hone on both "
      "sides",
      other, version);
}

}  // namespace

base::Result<Records> parse_records(std::string_view bytes, const std::string& kind_of_file,
                                    int version) {
  const std::string title = title_of(kind_of_file, version);
  Records records;
  records.hash = base::sha256_hex(title);
  if (bytes.size() < title.size() && title.starts_with(bytes)) {
    records.cut = true;
    return records;
  }
  if (!bytes.starts_with(title)) return Failure{wrong_title(bytes, kind_of_file, version)};
  records.length = title.size();
  const auto damaged = [&] {
    return Failure{fmt::format("it is damaged in record {} (at byte {})", records.all.size() + 1,
                               records.length)};
  };
  while (records.length < bytes.size()) {
    const std::string_view rest = bytes.substr(records.length);
    const std::size_t line_end = rest.substr(0, longest_line).find('\n');
    if (line_end == std::string_view::npos) {
      if (rest.size() >= longest_line) return damaged();
      records.cut = true;
      return records;
    }
    const auto line = parse_line(rest.substr(0, line_end));
    if (!line || line->length > largest_record) return damaged();
    const std::size_t needed = line_end + 1 + line->length + 1;
    if (rest.size() < needed) {
      records.cut = true;
      return records;
    }
    const std::string_view body = rest.substr(line_end + 1, line->length);
    std::string hash = next_hash(records.hash, line->kind, body);
    if (hash != line->hash || rest[needed - 1] != '\n') return damaged();
    records.all.push_back({std::string(line->kind), std::string(body)});
    records.hash = std::move(hash);
    records.length += needed;
  }
  return records;
}

base::Result<Records> read_records(const std::filesystem::path& path,
                                   const std::string& kind_of_file, int version) {
  return parse_records(base::read_file(path, largest_record_file), kind_of_file, version);
}

std::string write_records(const std::vector<BundleRecord>& records, const std::string& kind_of_file,
                          int version) {
  std::string text = title_of(kind_of_file, version), hash = base::sha256_hex(text);
  for (const BundleRecord& record : records) {
    hash = next_hash(hash, record.kind, record.body);
    text += text_of(record, hash);
  }
  return text;
}

std::string hash_of(const std::vector<BundleRecord>& records, const std::string& kind_of_file,
                    int version) {
  std::string hash = base::sha256_hex(title_of(kind_of_file, version));
  for (const BundleRecord& record : records) hash = next_hash(hash, record.kind, record.body);
  return hash;
}

RecordLog::RecordLog(const std::filesystem::path& path, const std::string& kind_of_file,
                     int version)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (!file_)
    fail(ExitCode::environment, "{}: cannot be written: {}", path.string(), base::errno_text());
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    fail(ExitCode::environment, "{}: another hone is writing it: wait until that has ended",
         path.string());
  auto there = read_records(path, kind_of_file, version);
  if (!there)
    fail(ExitCode::bad_input, "{}: {}; move it away, or write to another file", path.string(),
         there.error());
  records_ = *std::move(there);
  if (records_.cut && ::ftruncate(file_.get(), static_cast<off_t>(records_.length)) != 0)
    fail(ExitCode::environment, "{}: cannot be shortened: {}", path.string(), base::errno_text());
  records_.cut = false;
  ::lseek(file_.get(), 0, SEEK_END);
  if (records_.length == 0) {
    const std::string title = title_of(kind_of_file, version);
    write(title);
    records_.length = title.size();
  }
}

void RecordLog::append(const std::string& kind, const std::string& body) {
  BundleRecord record{kind, body};
  std::string hash = next_hash(records_.hash, kind, body);
  const std::string text = text_of(record, hash);
  write(text);
  records_.all.push_back(std::move(record));
  records_.hash = std::move(hash);
  records_.length += text.size();
}

void RecordLog::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      fail(ExitCode::environment, "{}: cannot be written: {}", path_.string(), base::errno_text());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fdatasync(file_.get()) != 0)
    fail(ExitCode::environment, "{}: cannot be written: {}", path_.string(), base::errno_text());
}

}  // namespace hone::exec
