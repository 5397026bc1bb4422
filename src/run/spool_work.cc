#include "run/spool_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "exec/spool_executor.h"
#include "exec/spool_watch.h"
#include "exec/worker_place.h"
#include "run/bundle.h"

namespace hone::run {
namespace {

using base::ExitCode;
using exec::SpoolJob;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds shortest_pause{0.002}, longest_pause{0.5};
constexpr double part_of_idle = 1.0 / 32;  // how late a job may be seen, of the time without one
constexpr Seconds until_there_is_space{0.2};
constexpr double looks_in_time = 8;  // for the run's sign of life

JobResult failed(const std::string& name, const std::string& why) {
  JobResult result;
  result.name = name;
  result.error = why;
  return result;
}

class SpoolWork {
 public:
  SpoolWork(const SpoolWorkOptions& options, const exec::SpoolSettings& settings)
      : options_(options),
        place_(exec::Spool(options.spool), options.worker),
        site_(place_for(options, settings)),
        run_life_(options.spool / exec::run_life_file, settings.lost_after),
        look_every_(settings.lost_after / looks_in_time) {
    // A device of another model is said before a job is touched.
    if (!settings.device.empty())
      site_.device_for(core::language_from(settings.language).value_or(core::Language::opencl));
  }

  void run() {
    while (!time_is_up()) {
      if (take_one()) {
        idle_since_ = Clock::now();
        continue;
      }
      if (is_over()) return;
      std::this_thread::sleep_for(std::clamp<Seconds>(part_of_idle * (Clock::now() - idle_since_),
                                                      shortest_pause, longest_pause));
    }
  }

 private:
  static JobPlace place_for(const SpoolWorkOptions& options, const exec::SpoolSettings& settings) {
    JobPlace place = options.place;
    place.only_model = settings.device;
    return place;
  }

  bool time_is_up() const {
    return options_.max_minutes > 0 && Clock::now() - start_ > Seconds(60 * options_.max_minutes);
  }

  bool is_over() {
    const auto now = Clock::now();
    if (options_.idle_minutes > 0 && now - idle_since_ > Seconds(60 * options_.idle_minutes))
      return true;
    if (!options_.of_run || now - looked_ < look_every_) return false;
    looked_ = now;
    return run_life_.lost(now);
  }

  // A listing serves until all of it was tried: many workers do not list the folder for every job.
  bool take_one() {
    if (listed_.empty()) listed_ = place_.choices();
    while (!listed_.empty()) {
      const SpoolJob job = listed_.back();
      listed_.pop_back();
      if (!place_.claim(job)) continue;
      do_job(job);
      return true;
    }
    return false;
  }

  void do_job(const SpoolJob& job) {
    if (place_.spool().has_result(job.name)) return place_.give_back(job, false);
    const std::string result = to_text(result_of(job));
    while (place_.publish(job, result)) {
      place_.note({done_, true});
      std::this_thread::sleep_for(until_there_is_space);
    }
    place_.note({++done_, false});
  }

  JobResult result_of(const SpoolJob& claimed) {
    if (claimed.attempt > exec::most_spool_attempts)
      return failed(claimed.name,
                    fmt::format("it was begun {} times, and each time its worker was ended, lost, "
                                "or had to end",
                                claimed.attempt - 1));
    const auto text = place_.text_of(claimed);
    if (!text) return failed(claimed.name, "the job in the spool: " + text.error());
    auto bundle = parse_bundle(*text);
    if (!bundle) return failed(claimed.name, "the job in the spool: " + bundle.error());
    if (bundle->jobs.size() != 1 || bundle->jobs.front().name != claimed.name)
      return failed(claimed.name, "the job in the spool is another one than its name says");
    for (const auto& [hash, files] : bundle->tasks) site_.add_task(hash, files);
    const Job& job = bundle->jobs.front();
    try {
      JobResult result = job.fresh ? site_.work_afresh(job) : site_.work(job);
      if (!result.error.empty() && claimed.attempt < exec::most_spool_attempts)
        base::fail(ExitCode::environment, "{}: {}", job.name, result.error);
      return result;
    } catch (const base::Error& error) {
      if (error.code() != ExitCode::bad_input) throw;
      return failed(job.name, error.what());  // the job's own fault
    }
  }

  const SpoolWorkOptions& options_;
  const exec::WorkerPlace place_;
  JobSite site_;
  exec::LifeWatch run_life_;
  const Seconds look_every_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point idle_since_ = Clock::now(), looked_{};
  std::vector<SpoolJob> listed_;
  std::uint64_t done_ = 0;
};

}  // namespace

void work_from_spool(const SpoolWorkOptions& options) {
  SpoolWork(options, exec::Spool(options.spool).open({})).run();
}

}  // namespace hone::run
