#include "exec/slurm_workers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/printable.h"
#include "exec/worker_place.h"

namespace hone::exec {
namespace {

constexpr auto longest_trouble =
    std::chrono::minutes(10);  // without a worker, before the run stops
constexpr std::size_t longest_words = 600;
constexpr std::uint64_t largest_log = 16u << 20;

std::string end_of(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.size() > longest_words ? "…" + text.substr(text.size() - longest_words) : text;
}

}  // namespace

SlurmWorkers::SlurmWorkers(Spool spool, SlurmOptions options, std::string script,
                           std::function<std::uint64_t()> finished,
                           std::function<void(const std::string&)> say)
    : spool_(std::move(spool)),
      options_(std::move(options)),
      script_(std::move(script)),
      finished_(std::move(finished)),
      say_(std::move(say)),
      slurm_("hone-" + spool_.path().filename().string(), ending_),
      pool_(options_) {
  base::make_folder(spool_.path() / "logs");
  for (const auto& [worker, why] : spool_.failures()) failed_before_.insert(worker);
  thread_ = std::thread([this] { work(); });
}

SlurmWorkers::~SlurmWorkers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (const auto done = slurm_.cancel_all(); !done)
    say_(
        fmt::format("the run's workers could not be cancelled: {}; they end by themselves, or "
                    "with: scancel --name=hone-{}",
                    done.error(), spool_.path().filename().string()));
}

std::string SlurmWorkers::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

std::string SlurmWorkers::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

void SlurmWorkers::work() {
  while (!ending_ && broken().empty()) {
    try {
      round();
    } catch (const base::Error& error) {
      const std::lock_guard lock(mutex_);
      broken_ = error.what();
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(options_.poll_seconds),
                      [&] { return ending_.load(); });
  }
}

void SlurmWorkers::round() {
  auto tasks = slurm_.tasks();
  if (ending_) return;
  if (!tasks) return have_trouble(tasks.error(), !spool_.workers().empty());
  const PoolView view = view_of(*std::move(tasks));
  PoolPlan plan = pool_.next(view, Clock::now());
  queued_ = plan.queued;
  for (const std::string& id : plan.gone)
    say_(fmt::format("worker {} ended before it showed life: {}", id, last_words_of(id)));
  if (!plan.broken.empty()) {
    if (view.failures.empty() && !plan.gone.empty())
      plan.broken += "; the last of them: " + last_words_of(plan.gone.back());
    const std::lock_guard lock(mutex_);
    broken_ = plan.broken;
    return;
  }
  if (!plan.cancel.empty()) {
    const auto done = slurm_.cancel(plan.cancel);
    if (!done) return have_trouble(done.error(), plan.running > 0);
    pool_.cancelled(plan.cancel);
  }
  if (plan.submit > 0) return submit(plan);
  const std::lock_guard lock(mutex_);
  trouble_.clear();
  trouble_since_.reset();
}

void SlurmWorkers::submit(const PoolPlan& plan) {
  const auto id = slurm_.submit(options_, spool_.path() / "logs", script_, plan.submit);
  if (ending_) return;
  pool_.submitted(Clock::now());
  if (id) {
    ever_submitted_ = true;
    queued_ = plan.queued + plan.submit;
    const std::lock_guard lock(mutex_);
    trouble_.clear();
    trouble_since_.reset();
    return;
  }
  if (ever_submitted_ || plan.queued + plan.running > 0)
    return have_trouble(id.error(), plan.running > 0);
  const std::lock_guard lock(mutex_);
  broken_ = id.error();  // the options are wrong, or there is no Slurm here
}

void SlurmWorkers::have_trouble(const std::string& words, bool has_workers) {
  const bool again = trouble() == words;
  const auto now = Clock::now();
  if (!trouble_since_ || has_workers) trouble_since_ = now;
  if (!again && !ending_) say_(words);
  const std::lock_guard lock(mutex_);
  trouble_ = words;
  if (now - *trouble_since_ > longest_trouble) broken_ = words;
}

PoolView SlurmWorkers::view_of(std::vector<SlurmTask> tasks) const {
  PoolView view;
  view.tasks = std::move(tasks);
  view.open_jobs = spool_.waiting().size();
  for (const std::string& worker : spool_.workers()) {
    const auto claims = spool_.claims_of(worker).size();
    view.open_jobs += claims;
    if (const std::string task = slurm_task_of(worker); !task.empty()) view.claims[task] += claims;
  }
  view.finished_jobs = finished_();
  for (const auto& [worker, why] : spool_.failures())
    if (!failed_before_.contains(worker))
      view.failures[worker] = end_of(base::printable_lines(why));
  return view;
}

std::string SlurmWorkers::last_words_of(const std::string& task) const {
  const auto file = spool_.path() / "logs" / (task + ".log");
  const auto text = read_untrusted(file, largest_log);
  if (!text) return fmt::format("{}: {}", file.string(), text.error());
  const std::string end = end_of(base::printable_lines(*text));
  return end.empty() ? fmt::format("{} is empty", file.string()) : end;
}

}  // namespace hone::exec
