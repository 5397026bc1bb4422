#include "profile/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/error.h"
#include "core/stats.h"
#include "device/meter.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double window_seconds = 5;
constexpr std::size_t least_windows = 3;
// The counter moves about every 100 ms: a window's ends are sharp to a fiftieth.
constexpr int least_ticks = 20;
constexpr double most_spread = 0.05;
constexpr double idle_seconds = 2,
                 settle_seconds = 1;  // the power falls for a while after the last kernel
constexpr auto reading_pause = std::chrono::milliseconds(5);
// One batch is queued at once; short enough to end soon after the last window, long enough that the
// pauses between two (0.1 ms) do not weigh.
constexpr double batch_seconds = 0.25;
constexpr double most_launches = 20'000;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

// Calls made until then, as if each batch's calls were spread evenly over it.
double calls_at(const std::vector<CallCount>& counts, double seconds) {
  const auto after =
      std::upper_bound(counts.begin(), counts.end(), seconds,
                       [](double time, const CallCount& count) { return time < count.seconds; });
  if (after == counts.begin()) return counts.front().calls;
  if (after == counts.end()) return counts.back().calls;
  const auto before = std::prev(after);
  const double part = (seconds - before->seconds) / (after->seconds - before->seconds);
  return before->calls + part * (after->calls - before->calls);
}

// The samples at which the counter had moved.
std::vector<EnergySample> ticks_of(const std::vector<EnergySample>& samples) {
  std::vector<EnergySample> ticks;
  for (std::size_t i = 1; i < samples.size(); ++i)
    if (samples[i].joules > samples[i - 1].joules) ticks.push_back(samples[i]);
  return ticks;
}

// Reads the meter on a thread of its own until it is told to stop.
class Watch {
 public:
  explicit Watch(const device::Meter& meter) : thread_([this, &meter] { run(meter); }) {}
  ~Watch() { stop(); }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::vector<EnergySample> samples;  // to be looked at after stop()
  double clock_sum = 0;
  int clocks = 0, readings = 0, held_back = 0;
  std::string broken;

 private:
  void run(const device::Meter& meter) {
    try {
      while (!stop_) {
        const auto reading = meter.read();
        samples.push_back({now(), reading.joules});
        ++readings;
        held_back += reading.throttled ? 1 : 0;
        if (reading.sm_clock_hz) clock_sum += *reading.sm_clock_hz, ++clocks;
        std::this_thread::sleep_for(reading_pause);
      }
    } catch (const base::Error& error) {
      broken = error.what();
    }
  }
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

std::vector<EnergySample> watch_idle(const device::Meter& meter) {
  Watch watch(meter);
  std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
  watch.stop();
  return std::move(watch.samples);
}

constexpr std::string_view energy_tags[] = {tag::energy_call, tag::energy_low, tag::energy_high,
                                            tag::power};

void add(Collected& collected, std::string_view tag, const char* hint, std::optional<double> value,
         const std::string& missing = "") {
  collected.metrics.push_back({std::string(tag), hint, value, value ? "" : missing, "", {}, {}});
}

void refuse(Collected& collected, const std::string& why) {
  for (const auto tag : energy_tags)
    add(collected, tag, tag == tag::power ? "W" : "J", std::nullopt, why);
  collected.notes.push_back("The energy of a call is not claimed: " + why + ".");
}

}  // namespace

std::vector<EnergyWindow> energy_windows(const std::vector<EnergySample>& samples,
                                         const std::vector<CallCount>& counts,
                                         double least_seconds) {
  std::vector<EnergyWindow> windows;
  if (counts.size() < 2) return windows;
  std::optional<EnergySample> start;
  int ticks = 0;
  for (const auto& tick : ticks_of(samples)) {
    if (tick.seconds < counts.front().seconds || tick.seconds > counts.back().seconds) continue;
    ++ticks;
    if (start && tick.seconds - start->seconds < least_seconds) continue;
    if (start)
      windows.push_back({tick.seconds - start->seconds, tick.joules - start->joules,
                         calls_at(counts, tick.seconds) - calls_at(counts, start->seconds), ticks});
    start = tick;
    ticks = 0;
  }
  return windows;
}

base::Result<CallEnergy> energy_of_call(const std::vector<EnergyWindow>& windows) {
  if (windows.size() < least_windows)
    return base::Failure{fmt::format("there are {} windows of {:.0f} s, fewer than {}",
                                     windows.size(), window_seconds, least_windows)};
  std::vector<double> joules;
  double seconds = 0, total = 0;
  for (const auto& window : windows) {
    if (window.ticks < least_ticks)
      return base::Failure{
          fmt::format("the energy counter moved {} times in {:.1f} s, fewer than {}", window.ticks,
                      window.seconds, least_ticks)};
    if (!(window.calls > 0)) return base::Failure{std::string("a window holds no call")};
    joules.push_back(window.joules / window.calls);
    seconds += window.seconds;
    total += window.joules;
  }
  const auto [low, high] = std::minmax_element(joules.begin(), joules.end());
  double mean = 0;
  for (const double one : joules) mean += one / static_cast<double>(joules.size());
  if (!(mean > 0) || (*high - *low) / mean > most_spread)
    return base::Failure{fmt::format(
        "the windows differ by {:.1f} %, more than {:.0f} %: {:.4g} to {:.4g} J a call",
        mean > 0 ? 100 * (*high - *low) / mean : 100.0, 100 * most_spread, *low, *high)};
  return CallEnergy{mean, core::mean_interval(joules), total / seconds};
}

std::optional<double> average_power(const std::vector<EnergySample>& samples) {
  const auto ticks = ticks_of(samples);
  if (ticks.size() < 2 || ticks.back().seconds <= ticks.front().seconds) return std::nullopt;
  return (ticks.back().joules - ticks.front().joules) /
         (ticks.back().seconds - ticks.front().seconds);
}

namespace {

// Calls are made many at a time, so that nothing but the candidate is at work between readings.
runner::PrepareRequest batch_of(const ProfilingSetup& setup, const judge::BoundCandidate& bound,
                                double seconds) {
  const double fit = std::min(batch_seconds / std::max(seconds, 1e-9),
                              most_launches / static_cast<double>(setup.plan.launches.size()));
  runner::PrepareRequest request;
  request.plan = bound.plan;
  request.sets.assign(static_cast<std::size_t>(std::max(1.0, fit)), bound.bindings);
  request.fresh_addresses = request.flush = false;
  return request;
}

// Runs the batch that was prepared again and again, for as long as the windows need. The count of
// calls at the moments between batches, or why one failed. The power needs a moment to rise; that
// part is in no window.
base::Result<std::vector<CallCount>> keep_busy(runner::Runner& runner, std::size_t batch,
                                               double call_seconds) {
  constexpr double slack = 0.3;  // of each window: it begins and ends at a tick of the counter
  const double all = settle_seconds + (window_seconds + slack) * static_cast<double>(least_windows);
  std::vector<CallCount> counts;
  const double start = now();
  for (double made = 0; now() - start < all;) {
    if (now() - start >= settle_seconds) counts.push_back({now(), made});
    const auto timed = runner.go(call_seconds + 100 * batch_seconds);
    if (!timed) return base::Failure{timed.error().text};
    made += static_cast<double>(batch);
    if (now() - start >= settle_seconds) counts.push_back({now(), made});
  }
  return counts;
}

void add_energy(Collected& collected, const base::Result<CallEnergy>& energy) {
  if (!energy) return refuse(collected, energy.error());
  add(collected, tag::energy_call, "J", energy->joules);
  add(collected, tag::energy_low, "J", energy->interval.low);
  add(collected, tag::energy_high, "J", energy->interval.high);
  add(collected, tag::power, "W", energy->watts);
}

// What else the readings tell: the power of the idle device, the clock under load, and how often
// the clock was held back.
void add_state(Collected& collected, const Watch& watch, const std::optional<double>& idle_before,
               const std::optional<double>& idle_after) {
  add(collected, tag::power_idle, "W",
      idle_before && idle_after ? std::optional((*idle_before + *idle_after) / 2) : std::nullopt,
      "the energy counter did not move often enough while the device was idle");
  add(collected, tag::clock_load, "Hz",
      watch.clocks > 0 ? std::optional(watch.clock_sum / watch.clocks) : std::nullopt,
      "NVML does not tell it");
  add(collected, tag::throttled, "1",
      watch.readings > 0 ? std::optional(static_cast<double>(watch.held_back) / watch.readings)
                         : std::nullopt,
      "the meter gave no readings");
}

}  // namespace

Collected collect_energy(ProfilingSetup& setup, const std::string& image, double seconds) {
  Collected collected;
  const auto meter = device::Meter::open(setup.judge.info());
  if (!meter) return refuse(collected, meter.error()), collected;
  add(collected, tag::power_limit, "W", meter->power_limit_w(), "NVML does not tell it");
  add(collected, tag::clock_most, "Hz", meter->sm_clock_most_hz(), "NVML does not tell it");

  const auto options = runner::runner_options(setup.judge.info(), setup.judge.options().unsafe);
  auto loaded =
      load_into(setup, std::make_unique<runner::Runner>(setup.judge.info(), options), image);
  if (!loaded) return refuse(collected, loaded.error()), collected;
  judge::CallOptions once;
  once.seconds = setup.judge.options().call_seconds;
  once.verify = false;
  if (const auto called = setup.caller.call(loaded->bound, setup.inputs, once); !called)
    return refuse(collected, called.error().text), collected;

  const auto request = batch_of(setup, loaded->bound, seconds);
  auto& runner = *loaded->ready.runner;
  if (const auto prepared = runner.prepare(request, once.seconds); !prepared)
    return refuse(collected, prepared.error().text), collected;

  const auto before = watch_idle(*meter);
  Watch watch(*meter);
  const auto counts = keep_busy(runner, request.sets.size(), once.seconds);
  if (!counts) return refuse(collected, counts.error()), collected;
  watch.stop();
  if (!watch.broken.empty()) return refuse(collected, watch.broken), collected;
  std::this_thread::sleep_for(std::chrono::duration<double>(settle_seconds));
  const auto after = watch_idle(*meter);

  add_energy(collected, energy_of_call(energy_windows(watch.samples, *counts, window_seconds)));
  add_state(collected, watch, average_power(before), average_power(after));
  return collected;
}

}  // namespace hone::profile
