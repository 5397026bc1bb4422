#include "exec/worker_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <random>

#include "base/error.h"
#include "base/fd.h"
#include "exec/records.h"

namespace hone::exec {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;

constexpr const char *life_file = "life", *progress_file = "progress";
constexpr char waiting_sign = 'w', working_sign = '.';
constexpr std::uint64_t largest_count = 64;  // bytes of such a file

// Always of one length, so that a disk that is full has room for it.
std::error_code write_count(const fs::path& path, std::uint64_t count, char sign = working_sign) {
  const base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  const std::string text = fmt::format("{:020}{}\n", count, sign);
  if (!file || ::pwrite(file.get(), text.data(), text.size(), 0) != std::ssize(text) ||
      ::fdatasync(file.get()) != 0)
    return {errno, std::generic_category()};
  return {};
}

// Not from a clock: two signs of life differ whatever the time is.
std::uint64_t next_count() {
  static std::uint64_t count = std::random_device()();
  return ++count;
}

std::string fit_for_a_name(std::string text) {
  std::erase_if(text,
                [](unsigned char c) { return c >= 0x80 || (std::isalnum(c) == 0 && c != '_'); });
  constexpr std::size_t longest = 32;
  return text.substr(0, longest);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? fit_for_a_name(value) : "";
}

}  // namespace

WorkerPlace::WorkerPlace(Spool spool, std::string worker)
    : spool_(std::move(spool)),
      worker_(std::move(worker)),
      folder_(spool_.path() / "workers" / worker_) {}

fs::path WorkerPlace::claim_path(const SpoolJob& job) const { return folder_ / file_name_of(job); }

void WorkerPlace::enter() const {
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST)
    fail(ExitCode::environment, "{}: the worker's folder cannot be made: {}", folder_.string(),
         base::errno_text());
  for (const char* name : {life_file, progress_file})
    if (const auto error = write_count(folder_ / name, name == life_file ? next_count() : 0))
      fail(ExitCode::environment, "{}: cannot be written: {}", (folder_ / name).string(),
           error.message());
}

void WorkerPlace::show_life() const {
  struct stat info {};
  if (::lstat(folder_.c_str(), &info) != 0 && errno == ENOENT) return enter();
  // What cannot be written now may be a moment later; if not, the worker is lost, as it should be.
  [[maybe_unused]] const auto error = write_count(folder_ / life_file, next_count());
}

WorkerProgress WorkerPlace::progress() const { return progress_in(folder_); }
void WorkerPlace::note(const WorkerProgress& progress) const {
  const char sign = progress.waits_for_space ? waiting_sign : working_sign;
  [[maybe_unused]] const auto error =  // it is for people only
      write_count(folder_ / progress_file, progress.done, sign);
}

void WorkerPlace::leave(const std::string& failure) const {
  for (const SpoolJob& job : spool_.claims_of(worker_)) give_back(job, false);
  if (!failure.empty()) [[maybe_unused]]
    const auto error = write_flushed(spool_.path() / "failed" / worker_, failure);
  ::unlink((spool_.path() / "results" / ("." + worker_)).c_str());
  for (const char* name : {life_file, progress_file}) ::unlink((folder_ / name).c_str());
  ::rmdir(folder_.c_str());
}

void WorkerPlace::give_back_all() const {
  for (const SpoolJob& job : spool_.claims_of(worker_)) give_back(job, true);
}

std::vector<SpoolJob> WorkerPlace::choices() const {
  constexpr std::size_t most = 32;
  thread_local std::minstd_rand random{std::random_device()()};
  std::vector<SpoolJob> jobs = spool_.waiting();
  jobs.resize(std::min(jobs.size(), most));
  std::shuffle(jobs.begin(), jobs.end(), random);
  return jobs;
}

bool WorkerPlace::claim(const SpoolJob& job) const {
  const fs::path from = spool_.path() / "jobs" / file_name_of(job);
  return ::rename(from.c_str(), claim_path(job).c_str()) == 0;
}

base::Result<std::string> WorkerPlace::text_of(const SpoolJob& job) const {
  return read_untrusted(claim_path(job), largest_record);
}

std::error_code WorkerPlace::publish(const SpoolJob& job, const std::string& result) const {
  const fs::path aside = spool_.path() / "results" / ("." + worker_),
                 place = spool_.path() / "results" / job.name;
  if (!spool_.has_result(job.name)) {
    std::error_code error = write_flushed(aside, result);
    // A link fails where there is something: of two workers on one job, the first one's stays.
    if (!error && ::link(aside.c_str(), place.c_str()) != 0 && errno != EEXIST)
      error = {errno, std::generic_category()};
    ::unlink(aside.c_str());
    if (is_full(error)) return error;
    if (error)
      fail(ExitCode::environment, "{}: cannot be written: {}", place.string(), error.message());
  }
  drop(job);
  return {};
}

void WorkerPlace::give_back(const SpoolJob& job, bool counts) const {
  give_back_claim(spool_, claim_path(job), job, counts);
}

// What a stranger put there may be a folder; links in it are not followed.
void WorkerPlace::drop(const SpoolJob& job) const {
  std::error_code ec;
  fs::remove_all(claim_path(job), ec);
}

void give_back_claim(const Spool& spool, const fs::path& from, const SpoolJob& job, bool counts) {
  std::error_code ec;
  if (spool.has_result(job.name)) {
    fs::remove_all(from, ec);
    return;
  }
  const SpoolJob again{job.name, job.attempt + (counts ? 1 : 0)};
  fs::rename(from, spool.path() / "jobs" / file_name_of(again),
             ec);  // another one may have done it
}

std::string new_worker_name() {
  char host[65] = {};
  ::gethostname(host, sizeof host - 1);
  std::random_device random;
  const std::string own = fmt::format("{}-{}-{:08x}", fit_for_a_name(host), ::getpid(), random());
  const std::string array = variable("SLURM_ARRAY_JOB_ID"), task = variable("SLURM_ARRAY_TASK_ID");
  return array.empty() || task.empty() ? own : fmt::format("{}_{}-{}", array, task, own);
}

std::string slurm_task_of(const std::string& worker) {
  const std::string task = worker.substr(0, worker.find('-'));
  const auto sign = task.find('_');
  const bool digits = std::all_of(task.begin(), task.end(),
                                  [](unsigned char c) { return std::isdigit(c) != 0 || c == '_'; });
  return digits && sign != std::string::npos && sign > 0 && sign + 1 < task.size() ? task : "";
}

WorkerProgress progress_in(const fs::path& worker_folder) {
  const auto text = read_untrusted(worker_folder / progress_file, largest_count);
  if (!text) return {};
  return {std::strtoull(text->c_str(), nullptr, 10), text->find(waiting_sign) != std::string::npos};
}

std::string sign_of_life(const fs::path& worker_folder) {
  const auto text = read_untrusted(worker_folder / life_file, largest_count);
  return text ? *text : "";
}

void show_life_in(const fs::path& file) {
  [[maybe_unused]] const auto error = write_count(file, next_count());
}

}  // namespace hone::exec
