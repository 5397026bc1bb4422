#include "exec/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/json.h"
#include "exec/bundle_folder.h"
#include "exec/records.h"

namespace hone::exec {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;
using base::Failure;

constexpr char attempt_sign = '~';  // is in no job's name
constexpr int most_counted = 9999;
constexpr int most_looked_for = 8;  // attempts; more than worker_place.h allows
constexpr std::uint64_t largest_note = 64u << 10;
constexpr std::size_t most_listed = 100'000;  // of a folder that a stranger may have filled
constexpr const char* parts[] = {"jobs", "workers", "lost", "results", "failed"};

std::error_code last_error() { return {errno, std::generic_category()}; }

// Names in a folder, in order, without those that begin with '.', which are being written.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ec;
  for (fs::directory_iterator entry(folder, ec), end;
       !ec && entry != end && names.size() < most_listed; entry.increment(ec)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.')) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_there(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

SpoolSettings settings_in(const fs::path& path, const std::string& text) {
  SpoolSettings settings;
  try {
    base::read_json(text, base::description_of(settings));
  } catch (const base::Error& error) {
    fail(ExitCode::bad_input, "{}: {}; use another folder, or the hone that made this one",
         path.string(), error.what());
  }
  if (!(settings.lost_after >= least_lost_after && settings.lost_after <= most_lost_after))
    fail(ExitCode::bad_input, "{}: lost_after is {} s, and must be between {} and {}",
         path.string(), settings.lost_after, least_lost_after, most_lost_after);
  return settings;
}

}  // namespace

std::string file_name_of(const SpoolJob& job) {
  return fmt::format("{}{}{}", job.name, attempt_sign, job.attempt);
}

std::optional<SpoolJob> spool_job_from(const std::string& file_name) {
  const auto at = file_name.rfind(attempt_sign);
  if (at == std::string::npos) return std::nullopt;
  SpoolJob job{file_name.substr(0, at), 0};
  const char *begin = file_name.data() + at + 1, *end = file_name.data() + file_name.size();
  const auto [stopped, ec] = std::from_chars(begin, end, job.attempt);
  const bool counts = ec == std::errc() && stopped == end && *begin != '0' && job.attempt >= 1 &&
                      job.attempt <= most_counted;
  return counts && is_job_name(job.name) ? std::optional(job) : std::nullopt;
}

void describe(base::Fields& f, SpoolSettings& settings) {
  int format = spool_format;
  f("format", format);
  if (format != spool_format)
    fail(ExitCode::bad_input, "the spool has format {}, and this hone knows {}", format,
         spool_format);
  f("lost_after_s", settings.lost_after);
  f.optional("language", settings.language).optional("device", settings.device);
}

SpoolSettings Spool::open(const SpoolSettings& wanted) const {
  std::error_code ec;
  if (fs::create_directories(folder_, ec); ec)
    fail(ExitCode::environment, "{}: the spool cannot be made: {}", folder_.string(), ec.message());
  for (const char* part : parts) {
    // A job's source and its result are for their user's eyes.
    if (::mkdir((folder_ / part).c_str(), 0700) != 0 && errno != EEXIST)
      fail(ExitCode::environment, "{}: the folder cannot be made: {}", (folder_ / part).string(),
           base::errno_text());
  }
  const fs::path place = folder_ / "spool";
  const std::string text = base::json_text(wanted);
  if (!fs::exists(place, ec)) {  // of several that do this at once, one wins
    const fs::path aside = folder_ / fmt::format(".spool.{}", ::getpid());
    base::write_file_atomically(aside, text);
    if (::link(aside.c_str(), place.c_str()) != 0 && errno != EEXIST)
      fail(ExitCode::environment, "{}: cannot be made: {}", place.string(), base::errno_text());
    fs::remove(aside, ec);
  }
  auto found = read_untrusted(place, largest_note);
  if (!found) fail(ExitCode::bad_input, "{}: {}", place.string(), found.error());
  SpoolSettings there = settings_in(place, *found);
  if (wanted.device.empty()) return there;
  if (there.device.empty()) {
    there.language = wanted.language;
    there.device = wanted.device;
    base::write_file_atomically(place, base::json_text(there));
  }
  if (there.device != wanted.device)
    fail(ExitCode::bad_input,
         "{}: this spool is for {}, and the run for {}: times of the two do not compare. Use "
         "another folder",
         folder_.string(), there.device, wanted.device);
  return there;
}

// A job goes from jobs/ to a worker, and from there to its result or by way of lost/ back to jobs/:
// looked at in this order, it cannot be missed on its way.
bool Spool::knows(const std::string& name) const {
  const auto in = [&](const fs::path& folder) {
    const auto jobs = jobs_in(folder);
    return std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) { return job.name == name; });
  };
  const auto in_any = [&](const char* part) {
    const auto workers = folders_in(folder_ / part);
    return std::any_of(workers.begin(), workers.end(),
                       [&](const auto& worker) { return in(folder_ / part / worker); });
  };
  const auto waits = [&] {  // many may wait: the folder is not listed for each
    for (int attempt = 1; attempt <= most_looked_for; ++attempt)
      if (is_there(folder_ / "jobs" / file_name_of({name, attempt}))) return true;
    return false;
  };
  return waits() || in_any("workers") || in_any("lost") || waits() || has_result(name);
}

std::error_code Spool::put(const PackedJob& job) const {
  if (!is_job_name(job.name)) fail(ExitCode::bad_input, "'{}' cannot be a job's name", job.name);
  if (knows(job.name)) return {};
  const fs::path aside = folder_ / "jobs" / ("." + job.name),
                 place = folder_ / "jobs" / file_name_of({job.name, 1});
  std::error_code error = write_flushed(aside, job.body);
  if (!error && ::rename(aside.c_str(), place.c_str()) != 0) error = last_error();
  if (error) ::unlink(aside.c_str());
  if (error && !is_full(error))
    fail(ExitCode::environment, "{}: cannot be written: {}", place.string(), error.message());
  return error;
}

bool Spool::has_result(const std::string& name) const {
  return is_job_name(name) && is_there(folder_ / "results" / name);
}

std::optional<PackedResult> Spool::result(const std::string& name) const {
  if (!has_result(name)) return std::nullopt;
  const fs::path place = folder_ / "results" / name;
  auto text = read_untrusted(place, largest_record);
  if (!text)
    fail(ExitCode::bad_input, "{}: {}: remove it, and the job is done again", place.string(),
         text.error());
  return PackedResult{name, *std::move(text)};
}

void Spool::discard_result(const std::string& name) const {
  if (is_job_name(name)) ::unlink((folder_ / "results" / name).c_str());
}

std::vector<SpoolJob> Spool::waiting() const { return jobs_in(folder_ / "jobs"); }
std::vector<std::string> Spool::workers() const { return folders_in(folder_ / "workers"); }
std::vector<std::string> Spool::lost() const { return folders_in(folder_ / "lost"); }
std::vector<SpoolJob> Spool::claims_of(const std::string& worker) const {
  return jobs_in(folder_ / "workers" / worker);
}

std::vector<std::pair<std::string, std::string>> Spool::failures() const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const std::string& name : names_in(folder_ / "failed"))
    if (auto text = read_untrusted(folder_ / "failed" / name, largest_note))
      found.emplace_back(name, *std::move(text));
  return found;
}

std::vector<SpoolJob> jobs_in(const fs::path& folder) {
  std::vector<SpoolJob> jobs;
  for (const std::string& name : names_in(folder))
    if (auto job = spool_job_from(name)) jobs.push_back(*std::move(job));
  return jobs;
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& name : names_in(folder)) {
    std::error_code ec;
    if (is_job_name(name) && fs::is_directory(fs::symlink_status(folder / name, ec)))
      names.push_back(name);
  }
  return names;
}

base::Result<std::string> read_untrusted(const fs::path& path, std::uint64_t most) {
  // O_NONBLOCK: a pipe without a writer must not hold this process.
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ELOOP) return Failure{std::string("it is a link, which is not followed")};
  if (!file) return Failure{fmt::format("it cannot be read: {}", base::errno_text())};
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return Failure{std::string("it is not a file")};
  const auto too_large = [&] { return Failure{fmt::format("it is larger than {} bytes", most)}; };
  if (static_cast<std::uint64_t>(info.st_size) > most) return too_large();
  std::string text;
  char part[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.get(), part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failure{fmt::format("it cannot be read: {}", base::errno_text())};
    if (n == 0) return text;
    text.append(part, static_cast<std::size_t>(n));
    if (text.size() > most) return too_large();
  }
}

std::error_code write_flushed(const fs::path& path, std::string_view text) {
  ::unlink(path.c_str());  // what a killed process left, or a stranger's link
  const base::Fd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return last_error();
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return last_error();
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return ::fsync(file.get()) == 0 ? std::error_code() : last_error();
}

bool is_full(std::error_code error) {
  return error.value() == ENOSPC || error.value() == EDQUOT || error.value() == EFBIG;
}

}  // namespace hone::exec
