// Measures how long `hone log` and `hone show` take on a large archive. It fills an archive with
// realistic rows, then times each question as a user asks it, opening the archive included.
//   hone_bench_archive [EVALUATIONS] [FOLDER]
// The defaults are 100,000 evaluations and a temporary folder; a folder that is given is kept.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <random>

#include "app/log.h"
#include "app/show.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "cli/log.h"
#include "core/stats.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "text/format.h"
#include "text/record_text.h"
#include "text/table.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

constexpr int tasks = 12, evaluations_per_candidate = 5, cases = 3, samples = 60, metrics = 12,
              repetitions = 21;
constexpr int batch_size = 2000;  // evaluations in one transaction, while filling
constexpr const char* device = "GPU-6b1f2c1e-0d0f-4d2e-9f54-2f6c0b9d7a11";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

store::TaskRecord task_number(int i) {
  const std::string name = fmt::format("task{:02}", i);
  return {base::sha256_hex(name), name, "/home/someone/tasks/" + name, std::string(2000, '#')};
}

store::CandidateRecord candidate_number(int i, const std::string& parent) {
  std::string source = fmt::format("/* hone 1\n[[launch]]\nkernel = \"k{}\"\n*/\n", i);
  while (source.size() < 4000) source += "  acc = fma(a[i], b[j], acc);\n";
  store::CandidateRecord record{{base::sha256_hex(source), core::Language::cuda,
                                 fmt::format("candidate{}.cu", i), "someone", ""},
                                source,
                                {}};
  if (!parent.empty()) record.parents = {parent};
  return record;
}

core::Evaluation random_evaluation(std::mt19937& random, const std::string& candidate,
                                   const std::string& task) {
  core::Evaluation e;
  e.key = {candidate,   {{"BLOCK", 1 << random() % 11}, {"VEC", 1 << random() % 3}},
           task,        device,
           "580.65.06", "nvrtc 13.0",
           1,           core::Depth::screen,
           {}};
  const auto dice = random() % 100;
  e.outcome = dice < 60   ? core::Outcome::accepted
              : dice < 80 ? core::Outcome::build_failed
              : dice < 99 ? core::Outcome::wrong
                          : core::Outcome::timed_out;
  e.evidence = {
      {"tolerance", 27, e.outcome != core::Outcome::accepted, "rows=4096", std::string(200, 'e')}};
  std::lognormal_distribution<double> time(-7, 0.05);
  for (int c = 0; c < cases; ++c) {
    core::CaseResult result;
    result.name = fmt::format("rows={}", 1024 << c);
    result.timed = true;
    for (int s = 0; s < samples; ++s) result.samples.push_back(time(random));
    result.wall_samples = result.samples;
    result.median = core::median(result.samples);
    result.interval = core::median_interval(result.samples);
    result.flops_by_kind = {{"f32", 1e9}};
    result.ceiling_fraction = 0.7;
    result.ceiling = "memory";
    e.cases.push_back(std::move(result));
  }
  for (int m = 0; m < metrics; ++m)
    e.metrics.push_back({fmt::format("metric.number{}", m), "1", 1.0 * m, "",
                         m % 2 == 0 ? "" : "rows=2048", 0, std::nullopt});
  if (e.outcome == core::Outcome::accepted) e.geomean = e.cases[0].median;
  e.build_log = std::string(300, 'w');
  e.seconds_total = 0.9;
  return e;
}

// The candidate, task and device that the questions name.
struct Subjects {
  std::string evaluation, candidate, middle;
  core::EvaluationKey key;
};

Subjects fill(const std::filesystem::path& path, int count) {
  std::mt19937 random(1);
  store::Archive archive = store::Archive::open(path);
  Subjects subjects;
  std::string candidate;
  for (int i = 0; i < count;) {
    store::ArchiveTransaction batch(archive);
    for (int t = 0; t < tasks; ++t) record_task(archive, task_number(t));
    for (const int end = std::min(count, i + batch_size); i < end; ++i) {
      if (i % evaluations_per_candidate == 0) {
        const auto record = candidate_number(
            i, candidate);  // one long line of descent: the worst case for a lineage
        record_candidate(archive, record);
        candidate = record.line.hash;
      }
      const core::Evaluation evaluation = random_evaluation(
          random, candidate, task_number(static_cast<int>(random() % tasks)).hash);
      subjects.evaluation = record_evaluation(archive, evaluation, "NVIDIA H200");
      subjects.key = evaluation.key;
      if (i == count / 2) subjects.middle = subjects.evaluation;
      if (i == count / 2) subjects.candidate = candidate;
    }
    batch.commit();
  }
  return subjects;
}

// Drops the file from the page cache, so that the next read goes to the disk.
void forget(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  ::fdatasync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

// A question; the archive is opened for each one, as a command does.
using Ask = std::function<void()>;

struct LogFilter {
  std::string task;
  std::optional<core::Outcome> outcome;
  std::string before;
  int limit = 20;
};

using Questions = std::vector<std::pair<std::string, Ask>>;

std::size_t printed = 0;  // uses the texts, so that making them is not optimised away

Ask log(const std::filesystem::path& path, const LogFilter& filter) {
  app::LogRequest request;
  request.archive = path.string();
  request.task = filter.task;
  request.outcome = filter.outcome;
  request.before = filter.before;
  request.limit = filter.limit;
  return [request] { printed += cli::log_text(request, app::log(request), {}).size(); };
}

Ask show(const std::filesystem::path& path, const std::string& id) {
  app::ShowRequest request;
  request.archive = path.string();
  request.id = id;
  return [request] {
    printed += std::visit([](const auto& record) { return text::record_text(record, {}); },
                          app::show(request).shown)
                   .size();
  };
}

// The questions of the archive's own functions.
Questions inner_questions(const std::filesystem::path& path, const Subjects& subjects) {
  using store::Archive;
  const auto with = [&](const std::function<void(Archive&)>& ask) -> Ask {
    return [&path, ask] {
      Archive archive = Archive::open(path);
      ask(archive);
    };
  };
  return {
      {"find by key", with([&](Archive& a) { store::find_evaluation(a, subjects.key); })},
      {"best of task and device", with([&](Archive& a) {
         store::best_evaluation(a, task_number(7).hash, device, 1, core::Depth::screen);
       })},
      {"lineage of the middle candidate",
       with([&](Archive& a) { store::lineage_of(a, subjects.candidate); })},
      {"counts", with([&](Archive& a) { a.counts(); })},
      {"record one evaluation", with([&](Archive& a) {
         std::mt19937 random(2);
         record_evaluation(a, random_evaluation(random, subjects.candidate, task_number(0).hash),
                           "NVIDIA H200");
       })},
  };
}

Questions all_questions(const std::filesystem::path& path, const Subjects& subjects) {
  Questions questions = {
      {"hone log", log(path, {})},
      {"hone log --limit 1000", log(path, {.limit = 1000})},
      {"hone log --before MIDDLE", log(path, {.before = subjects.middle})},
      {"hone log --task", log(path, {.task = "task07"})},
      {"hone log --task (none such)", log(path, {.task = "nothing"})},
      {"hone log --outcome (rare)", log(path, {.outcome = core::Outcome::timed_out})},
      {"hone log --outcome (never)", log(path, {.outcome = core::Outcome::cheating})},
      {"hone log --task --outcome (never)",
       log(path, {.task = "task07", .outcome = core::Outcome::cheating})},
      {"hone show EVALUATION", show(path, subjects.evaluation.substr(0, 10))},
      {"hone show EVALUATION (middle)", show(path, subjects.middle)},
      {"hone show CANDIDATE", show(path, store::short_hash(subjects.candidate))},
  };
  for (auto& question : inner_questions(path, subjects)) questions.push_back(std::move(question));
  return questions;
}

void measure(const std::filesystem::path& path, const Subjects& subjects) {
  text::Table table({{"question, with opening the archive"},
                     {"median", text::Column::Align::right},
                     {"slowest", text::Column::Align::right},
                     {"first, from the disk", text::Column::Align::right}});
  for (const auto& [name, ask] : all_questions(path, subjects)) {
    std::vector<double> times;
    forget(path);
    for (int i = 0; i < 1 + repetitions; ++i) {
      const auto start = Clock::now();
      ask();
      times.push_back(seconds_since(start));
    }
    const double first = times.front();
    times.erase(times.begin());
    table.add({name, text::format_seconds(core::median(times)),
               text::format_seconds(*std::max_element(times.begin(), times.end())),
               text::format_seconds(first)});
  }
  fmt::print("{}\n{} of text in all\n", table.text(),
             text::format_bytes(static_cast<double>(printed)));
}

}  // namespace

int main(int argc, char** argv) try {
  const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const auto temporary =
      argc > 2 ? nullptr : std::make_unique<base::TemporaryFolder>("hone-bench-archive");
  const std::filesystem::path path =
      (argc > 2 ? std::filesystem::path(argv[2]) : temporary->path()) / "archive.db";
  const auto start = Clock::now();
  const Subjects subjects = fill(path, count);
  const double seconds = seconds_since(start);
  fmt::print(
      "{} evaluations recorded in {} ({:.0f} a second, {} in a transaction); {} on the disk\n\n",
      count, text::format_seconds(seconds), count / seconds, batch_size,
      text::format_bytes(static_cast<double>(std::filesystem::file_size(path))));
  measure(path, subjects);
  return 0;
} catch (const base::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return static_cast<int>(error.code());
}
