#include "exec/bundle_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "exec/records.h"

namespace hone::exec {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;

constexpr std::size_t longest_name = 128;

void require_name(const std::string& name) {
  if (!is_job_name(name)) fail(ExitCode::bad_input, "'{}' cannot be a job's name", name);
}

std::optional<std::string> contents(const fs::path& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) return std::nullopt;
  return base::read_file(path, largest_record);
}

void put(const fs::path& path, std::string_view text) {
  base::make_folder(path.parent_path());
  base::write_file_atomically(path, text);
}

}  // namespace

bool is_job_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) || c == '-' || c == '_' || c == '.');
         });
}

void BundleFolder::put_job(const PackedJob& job) const {
  require_name(job.name);
  const fs::path place = folder_ / "jobs" / job.name;
  // Names are unique for all time: another text under one is the same job in a newer hone's words.
  if (contents(place) != job.body) put(place, job.body);
}

bool BundleFolder::has_job(const std::string& name) const {
  std::error_code ec;
  return is_job_name(name) && fs::is_regular_file(folder_ / "jobs" / name, ec);
}

std::vector<PackedJob> BundleFolder::pending() const {
  std::vector<PackedJob> jobs;
  std::error_code ec;
  for (fs::directory_iterator entry(folder_ / "jobs", ec), end; !ec && entry != end;
       entry.increment(ec)) {
    const std::string name = entry->path().filename().string();
    if (!is_job_name(name) || fs::exists(folder_ / "results" / name))
      continue;  // a name with '.' first is half a file
    if (auto body = contents(entry->path())) jobs.push_back({name, *std::move(body)});
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const PackedJob& a, const PackedJob& b) { return a.name < b.name; });
  return jobs;
}

bool BundleFolder::put_result(const PackedResult& result) const {
  require_name(result.name);
  const fs::path place = folder_ / "results" / result.name;
  std::error_code ec;
  if (fs::exists(place, ec)) return false;
  put(place, result.body);
  return true;
}

std::optional<PackedResult> BundleFolder::result(const std::string& name) const {
  require_name(name);
  auto body = contents(folder_ / "results" / name);
  if (!body) return std::nullopt;
  return PackedResult{name, *std::move(body)};
}

void BundleFolder::note_packed(const std::string& bundle,
                               const std::vector<std::string>& jobs) const {
  std::string text;
  for (const auto& name : jobs) text += name + "\n";
  put(folder_ / "packed" / bundle, text);
}

std::optional<std::set<std::string>> BundleFolder::packed(const std::string& bundle) const {
  if (!is_job_name(bundle)) return std::nullopt;
  const auto text = contents(folder_ / "packed" / bundle);
  if (!text) return std::nullopt;
  std::set<std::string> names;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) names.insert(line);
  return names;
}

}  // namespace hone::exec
