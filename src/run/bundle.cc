// Packing and importing: the side where the archive is. See run/bundle.h.
#include "run/bundle.h"

#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "exec/bundle_folder.h"
#include "exec/records.h"
#include "run/bundle_files.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::run {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;
using exec::BundleRecord;

BundleRecord task_record(const Job& job) {
  const auto task = task::load_task(job.task_folder);
  if (!task)
    fail(ExitCode::bad_input, "job {} needs its task, which cannot be read:\n{}", job.name,
         task::render_with_sources(task.error()));
  if (task->hash != job.task)
    fail(ExitCode::bad_input,
         "the task in {} has been changed since job {} was made: put it back as it was, or begin "
         "another run",
         job.task_folder.string(), job.name);
  std::map<std::string, std::string> files;
  std::error_code ec;
  for (const char* name : task_files)
    if (fs::exists(job.task_folder / name, ec))
      files[name] = base::read_file(job.task_folder / name, base::largest_text_file);
  return {"task", base::json_line([&](base::Fields& f) { f("hash", job.task)("files", files); })};
}

std::vector<BundleRecord> records_of(const std::vector<exec::PackedJob>& jobs,
                                     std::set<std::string>& tasks) {
  std::vector<BundleRecord> task_records, job_records;
  for (const exec::PackedJob& queued : jobs) {
    auto job = job_from(queued.body);
    if (!job) fail(ExitCode::bad_input, "job {}: {}", queued.name, job.error());
    if (job->name != queued.name)
      fail(ExitCode::bad_input, "job {} calls itself '{}'", queued.name, job->name);
    if (!job->task.empty() && tasks.insert(job->task).second)
      task_records.push_back(task_record(*job));
    job->task_folder.clear();  // of no use there
    job_records.push_back({"job", to_text(*job)});
  }
  task_records.insert(task_records.end(), job_records.begin(), job_records.end());
  task_records.push_back({"end", ""});
  return task_records;
}

struct ResultFile {
  std::string bundle;
  std::vector<JobResult> results;
  std::vector<std::string> texts;
  bool cut = false;
};

ResultFile read_results(const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    fail(ExitCode::bad_input, "{}: {}", file.string(), why);
  };
  auto records = exec::read_records(file, results_kind, results_format);
  if (!records) refuse(records.error() + "; nothing was imported");
  ResultFile read;
  read.cut = records->cut;
  if (records->all.empty()) refuse("there are no results in it");
  read.bundle = bundle_of(records->all.front());
  if (read.bundle.empty())
    refuse("it does not say which bundle its results are of; nothing was imported");
  for (const BundleRecord& record : records->all) {
    if (record.kind != "result") continue;
    auto result = result_from(record.body);
    if (!result) refuse(result.error() + "; nothing was imported");
    read.results.push_back(*std::move(result));
    read.texts.push_back(record.body);
  }
  return read;
}

}  // namespace

void describe(base::Fields& f, const Imported& imported) {
  f("imported", imported.fresh)("ignored", imported.known)("missing", imported.missing);
  f("cut", imported.cut);
}

Packed pack_bundle(const fs::path& folder, const fs::path& file) {
  const exec::BundleFolder jobs_folder(folder);
  std::error_code ec;
  if (!fs::is_directory(folder, ec))
    fail(ExitCode::bad_input, "{}: there is no such folder: it is the DIR of --executor bundle:DIR",
         folder.string());
  const auto jobs = jobs_folder.pending();
  if (jobs.empty())
    fail(ExitCode::bad_input, "{}: there is nothing to pack: every job has its result",
         folder.string());
  std::set<std::string> tasks;
  const auto records = records_of(jobs, tasks);
  const std::string text = exec::write_records(records, bundle_kind, bundle_format);
  const std::string id = exec::hash_of(records, bundle_kind, bundle_format);
  std::vector<std::string> names;
  for (const auto& job : jobs) names.push_back(job.name);
  jobs_folder.note_packed(
      id, names);  // first: results of a bundle that is not noted could never be imported
  base::write_file_atomically(file, text);
  return {id, jobs.size(), tasks.size(), text.size()};
}

Imported import_results(const fs::path& folder, const fs::path& file) {
  const ResultFile read = read_results(file);
  const exec::BundleFolder jobs_folder(folder);
  const auto packed = jobs_folder.packed(read.bundle);
  if (!packed)
    fail(ExitCode::bad_input,
         "{}: these are results of another bundle, which was not packed from {}", file.string(),
         folder.string());
  for (const JobResult& result : read.results)  // all of them before any is taken
    if (!packed->contains(result.name) || !jobs_folder.has_job(result.name))
      fail(ExitCode::bad_input,
           "{}: it has a result for a job that its bundle does not have; nothing was imported",
           file.string());
  Imported imported;
  imported.cut = read.cut;
  std::set<std::string> named;
  for (std::size_t i = 0; i < read.results.size(); ++i) {
    if (!named.insert(read.results[i].name).second) continue;
    const bool fresh = jobs_folder.put_result({read.results[i].name, read.texts[i]});
    ++(fresh ? imported.fresh : imported.known);
  }
  imported.missing = packed->size() - named.size();
  return imported;
}

}  // namespace hone::run
