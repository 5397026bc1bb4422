#include "run/judge_queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace hone::run {
namespace {

using Clock = std::chrono::steady_clock;

// What a screening cannot tell apart; see bench/results/judge.md.
constexpr double gpu_tolerance = 0.03, cpu_tolerance = 0.15;

// The reference kernel alone: its time is what counts.
Job reference_of(const Job& job) {
  Job reference = job;
  reference.name = job.name + "-reference";
  reference.compare_with.reset();
  reference.seed.reset();
  reference.profile.reset();
  reference.tune.reset();
  reference.certify_if_faster = false;
  reference.rivals.clear();
  return reference;
}

bool is_reference(const Job& job, const JobResult& result) {
  return job.candidate && !job.fresh && !job.probe && job.depth == core::Depth::screen &&
         result.evaluation && result.evaluation->outcome == core::Outcome::accepted &&
         result.evaluation->geomean;
}

}  // namespace

double calibration_tolerance(core::ClockKind clock) {
  return clock == core::ClockKind::judge ? cpu_tolerance : gpu_tolerance;
}

// A job from its submission to its report. Shared, because the thread that works on one has left
// the lock.
struct JudgeQueue::Entry {
  Job job;
  enum class State { waiting, building, built, working } state = State::waiting;
  std::optional<base::Fd> ahead;
  std::set<const Line*> failed_on;
  std::string first_error;
};

struct JudgeQueue::Line {
  std::unique_ptr<Lane> lane;
  // Doubted: a job failed here, and is tried on another device to tell which of the two is at
  // fault.
  enum class State { closed, uncalibrated, doubted, open } state = State::open;
  double busy = 0;
};

JudgeQueue::JudgeQueue(std::vector<std::unique_ptr<Lane>> lanes, JobCallback done,
                       std::function<void(const std::string&)> say,
                       const std::atomic<bool>& cancelled, std::size_t builders)
    : done_(std::move(done)), say_(std::move(say)), cancelled_(cancelled) {
  for (auto& lane : lanes) {
    lines_.push_back(std::make_unique<Line>());
    lines_.back()->lane = std::move(lane);
    // The first device sets the times that the others must reproduce.
    if (lines_.size() > 1) lines_.back()->state = Line::State::uncalibrated;
  }
  for (std::size_t i = 0; i < builders; ++i) threads_.emplace_back([this] { build(); });
  for (auto& line : lines_) threads_.emplace_back([this, &line] { work(*line); });
}

JudgeQueue::~JudgeQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void JudgeQueue::submit(Job job) {
  const std::lock_guard lock(mutex_);
  auto entry = std::make_shared<Entry>();
  entry->job = std::move(job);
  // What was judged before is built, and a fresh process builds by itself.
  const bool builds = entry->job.candidate && !entry->job.fresh &&
                      !(entry->job.profile && entry->job.profile->evaluation);
  if (!builds) entry->state = Entry::State::built;
  entries_.push_back(std::move(entry));
  changed_.notify_all();
}

std::string JudgeQueue::describe() const {
  std::vector<std::string> devices;
  for (const auto& line : lines_) devices.push_back(line->lane->device().id);
  return fmt::format("{} {}", fmt::join(devices, ", "), lines_.front()->lane->device().name);
}

double JudgeQueue::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  double sum = 0;
  for (const auto& line : lines_) sum += line->busy;
  return sum;
}

// A builder's thread. Building needs no device, so it runs ahead on other cores.
void JudgeQueue::build() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto waiting = [&] {
      return std::find_if(entries_.begin(), entries_.end(),
                          [](const auto& entry) { return entry->state == Entry::State::waiting; });
    };
    changed_.wait(lock, [&] { return ending_ || waiting() != entries_.end(); });
    if (ending_) return;
    const auto entry = *waiting();
    entry->state = Entry::State::building;
    Lane& lane =
        *lines_.front()->lane;  // the devices are of one model: what one compiles serves all
    lock.unlock();
    auto ahead = cancelled_ ? std::nullopt : lane.build(entry->job);
    lock.lock();
    entry->ahead = std::move(ahead);
    entry->state = Entry::State::built;
    changed_.notify_all();
  }
}

// In the order of submission. A device in doubt takes only jobs that have failed elsewhere: they
// tell which of the two is at fault.
std::shared_ptr<JudgeQueue::Entry> JudgeQueue::next_for(const Line& line) const {
  for (const auto& entry : entries_) {
    if (entry->state != Entry::State::built || entry->failed_on.contains(&line)) continue;
    if (line.state == Line::State::doubted && entry->failed_on.empty()) continue;
    return entry;
  }
  return nullptr;
}

// Another job could have the device now, or as soon as it is built.
bool JudgeQueue::is_wanted(const Line& line) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
    return entry->state != Entry::State::working && !entry->failed_on.contains(&line);
  });
}

// A device's thread: jobs one after the other, for times are only right when nothing else runs
// there.
void JudgeQueue::work(Line& line) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] {
      return ending_ || line.state == Line::State::closed ||
             (line.state == Line::State::uncalibrated ? reference_.has_value()
                                                      : next_for(line) != nullptr);
    });
    if (ending_ || line.state == Line::State::closed) return;
    if (line.state == Line::State::uncalibrated) {
      calibrate(line, lock);
      continue;
    }
    const auto entry = next_for(line);
    entry->state = Entry::State::working;
    if (cancelled_) {
      report({entry->job.name, JobDone::State::cancelled, {}, ""}, lock);
      std::erase(entries_, entry);
      continue;
    }
    lock.unlock();
    const auto start = Clock::now();
    JobResult result = line.lane->work(entry->job, entry->ahead ? &*entry->ahead : nullptr,
                                       [&] { return is_wanted(line); });
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    lock.lock();
    line.busy += seconds;
    finish(line, entry, std::move(result), lock);
  }
}

void JudgeQueue::finish(Line& line, const std::shared_ptr<Entry>& entry, JobResult result,
                        std::unique_lock<std::mutex>& lock) {
  if (cancelled_) {  // a runner that was ended with us says nothing about the candidate
    std::erase(entries_, entry);
    return report({entry->job.name, JobDone::State::cancelled, {}, ""}, lock);
  }
  if (!result.error.empty()) return failed(line, entry, std::move(result), lock);
  for (const Line* other : entry->failed_on) {  // it works here, so that device is at fault
    for (auto& known : lines_)
      if (known.get() == other) close(*known, entry->first_error, lock);
  }
  if (lines_.size() > 1 && !reference_ && is_reference(entry->job, result)) {
    reference_ = reference_of(entry->job);
    // The job has the source as it was written.
    const auto& judged = result.as_written ? result.as_written : result.evaluation;
    reference_seconds_ = *judged->geomean;
    reference_device_ = line.lane->device().id;
  }
  std::erase(entries_, entry);
  changed_.notify_all();
  report({entry->job.name, JobDone::State::done, std::move(result), ""}, lock);
}

// The job is tried on another device. If it fails there too, the job is at fault and not the
// devices.
void JudgeQueue::failed(Line& line, const std::shared_ptr<Entry>& entry, JobResult result,
                        std::unique_lock<std::mutex>& lock) {
  if (entry->failed_on.empty()) entry->first_error = result.error;
  entry->failed_on.insert(&line);
  const bool elsewhere = std::any_of(lines_.begin(), lines_.end(), [&](const auto& other) {
    return other->state != Line::State::closed && !entry->failed_on.contains(other.get());
  });
  constexpr std::size_t most_devices = 2;
  if (elsewhere && entry->failed_on.size() < most_devices) {
    entry->state = Entry::State::built;
    if (line.state == Line::State::open) line.state = Line::State::doubted;
    if (!reference_) replace_first(line, entry->first_error, lock);
    changed_.notify_all();
    return;
  }
  for (auto& other : lines_)  // the job is at fault
    if (entry->failed_on.contains(other.get()) && other->state == Line::State::doubted)
      other->state = Line::State::open;
  changed_.notify_all();
  std::erase(entries_, entry);
  const std::string why = fmt::format("{}: {}", entry->job.name, result.error);
  report({entry->job.name, JobDone::State::broken, std::move(result), why}, lock);
}

// Without a reference kernel the other devices cannot be ranked with the first; one of them takes
// its place.
void JudgeQueue::replace_first(Line& line, const std::string& why,
                               std::unique_lock<std::mutex>& lock) {
  for (auto& other : lines_)
    if (other->state == Line::State::uncalibrated) {
      other->state = Line::State::open;
      return close(line, why, lock);
    }
}

void JudgeQueue::calibrate(Line& line, std::unique_lock<std::mutex>& lock) {
  const Job reference = *reference_;
  lock.unlock();
  const auto start = Clock::now();
  const JobResult result = line.lane->work(reference, nullptr, [] { return false; });
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  lock.lock();
  line.busy += seconds;
  const auto& device = line.lane->device();
  if (!result.error.empty()) return close(line, result.error, lock);
  if (!result.evaluation || !result.evaluation->geomean)
    return close(line, "the reference kernel is not accepted there", lock);
  const double ratio = *result.evaluation->geomean / reference_seconds_;
  if (std::abs(ratio - 1) > calibration_tolerance(core::clock_of(device)))
    return close(
        line,
        fmt::format("it takes {:.3f} of the time of {} for the reference kernel, and times that "
                    "are ranked together may differ by {:.0f} % at most",
                    ratio, reference_device_, 100 * calibration_tolerance(core::clock_of(device))),
        lock);
  line.state = Line::State::open;
  changed_.notify_all();
}

void JudgeQueue::close(Line& line, const std::string& why, std::unique_lock<std::mutex>& lock) {
  if (line.state == Line::State::closed) return;
  line.state = Line::State::closed;
  changed_.notify_all();
  const std::string text =
      fmt::format("{} is left out from now on: {}", line.lane->device().id, why);
  lock.unlock();
  {
    const std::lock_guard telling(telling_);
    say_(text);
  }
  lock.lock();
}

// Without the queue's lock: the callback may submit the next job.
void JudgeQueue::report(JobDone done, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  {
    const std::lock_guard telling(telling_);
    done_(std::move(done));
  }
  lock.lock();
}

}  // namespace hone::run
