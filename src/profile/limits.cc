#include "profile/limits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "profile/recorded_call.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

// From the tables of compute capabilities in the CUDA programming guide.
struct Architecture {
  int number;
  int warp_slots;
  double shared_kib;
};
constexpr Architecture architectures[] = {{80, 64, 164},  {86, 48, 100}, {87, 48, 164},
                                          {89, 48, 100},  {90, 64, 228}, {100, 64, 228},
                                          {103, 64, 228}, {120, 48, 100}};
constexpr Architecture unknown_architecture{0, 64, 100};  // what most of them have, and the least

const Architecture& row_of(const core::DeviceInfo& device) {
  const int number = architecture(device);
  for (const auto& row : architectures)
    if (row.number == number) return row;
  return unknown_architecture;
}

constexpr double beaten = 1.05;  // of a ceiling: more is beyond the doubt about it

double within_one(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

int architecture(const core::DeviceInfo& device) {
  constexpr std::string_view prefix = "sm_";
  if (!device.arch.starts_with(prefix)) return 0;
  int number = 0;
  std::from_chars(device.arch.data() + prefix.size(), device.arch.data() + device.arch.size(),
                  number);
  return number;
}

int warp_slots(const core::DeviceInfo& device) { return row_of(device).warp_slots; }
double registers_of_sm(const core::DeviceInfo&) { return 65536; }  // on all of them
double shared_of_sm(const core::DeviceInfo& device) { return row_of(device).shared_kib * 1024; }

const core::ResolvedLaunch* launch_of(const Facts& facts) {
  if (facts.launch)
    for (const auto& launch : facts.plan.launches)
      if (launch.plan_index == *facts.launch) return &launch;
  return nullptr;
}

double threads_of(const Facts& facts) {
  if (const auto* launch = launch_of(facts))
    return static_cast<double>(launch->block[0] * launch->block[1] * launch->block[2]);
  return facts.get(tag::threads).value_or(0);
}

double blocks_of(const Facts& facts) {
  if (const auto* launch = launch_of(facts))
    return static_cast<double>(launch->grid[0] * launch->grid[1] * launch->grid[2]);
  return facts.get(tag::blocks).value_or(0);
}

namespace {

// Of a call on a CPU: all but what a call of an empty kernel takes; or what its launches took one
// by one, where that is so much less that it is no accident of two measurements.
constexpr double far_less = 0.5;
double busy_on_cpu(const Facts& facts) {
  if (facts.seconds <= 0 || only_recorded(facts))
    return 1;  // an empty kernel's time is OpenCL's, not torch's
  double busy = facts.ceilings.calls > 0 ? 1 - 1 / facts.ceilings.calls / facts.seconds : 1;
  double kernels = 0;
  std::set<int> seen;
  for (const auto& launch : facts.plan.launches) {
    if (!seen.insert(launch.plan_index).second) continue;
    const auto one = facts.metrics.get(tag::cpu_launch_seconds, launch.plan_index);
    if (!one) return within_one(busy);
    kernels += *one;
  }
  if (kernels < far_less * facts.seconds) busy = std::min(busy, kernels / facts.seconds);
  return within_one(busy);
}

}  // namespace

double busy_fraction(const Facts& facts) {
  if (core::capabilities(facts.device).native_code) return busy_on_cpu(facts);
  const auto kernels = facts.metrics.get(tag::system_kernels, std::nullopt);
  const auto span = facts.metrics.get(tag::system_span, std::nullopt);
  // The launches of such a call do not follow each other closely while it is recorded: the
  // clock decides.
  if (kernels && only_recorded(facts) && facts.seconds > 0)
    return within_one(*kernels / facts.seconds);
  return kernels && span && *span > 0 ? within_one(*kernels / *span) : 1;
}

double launch_seconds(const Facts& facts) {
  if (facts.seconds > 0) return facts.seconds * facts.share * busy_fraction(facts);
  return facts.get(tag::kernel_seconds).value_or(0) * facts.get(tag::repeats).value_or(1);
}

double stall(const Facts& facts, std::string_view reason) {
  return facts.get(std::string(tag::stall) + std::string(reason)).value_or(0);
}

double stalls(const Facts& facts, const std::vector<std::string_view>& reasons) {
  double sum = 0;
  for (const auto reason : reasons) sum += stall(facts, reason);
  return within_one(sum);
}

std::optional<double> memory_of_ceiling(const Facts& facts) {
  const double ceiling = core::memory_ceiling(facts.ceilings);
  const auto read = facts.get(tag::dram_read), written = facts.get(tag::dram_written);
  const auto seconds = facts.get(tag::kernel_seconds);
  if (ceiling > 0 && read && written && seconds && *seconds > 0)
    return within_one((*read + *written) / *seconds / ceiling);
  const auto fraction = facts.get(tag::dram_fraction);
  if (!fraction) return std::nullopt;
  return within_one(ceiling > 0 && facts.device.pin_bandwidth > 0
                        ? *fraction * facts.device.pin_bandwidth / ceiling
                        : *fraction);
}

double issue_of_elapsed(const Facts& facts) {
  const double issue = facts.get(tag::issue_fraction).value_or(0);
  const auto active = facts.get(tag::sm_active_mean), cycles = facts.get(tag::kernel_cycles);
  return active && cycles && *cycles > 0 ? issue * within_one(*active / *cycles) : issue;
}

double dram_bytes(const Facts& facts) {
  return (facts.get(tag::dram_read).value_or(0) + facts.get(tag::dram_written).value_or(0)) *
         facts.get(tag::repeats).value_or(1);
}

double busiest_arithmetic(const Facts& facts) {
  double most = 0;
  for (const auto& [name, fraction] : facts.metrics.under(tag::pipe, facts.launch))
    if (name != "lsu") most = std::max(most, fraction);
  return within_one(most);
}

double busiest_but_memory(const Facts& facts) {
  double most = std::max(facts.get(tag::compute_fraction).value_or(0), issue_of_elapsed(facts));
  // The SM's own throughput counts the path to shared memory and L1 among its parts; the pipes do
  // not.
  if (!facts.metrics.under(tag::pipe, facts.launch).empty())
    most = std::max(issue_of_elapsed(facts), busiest_arithmetic(facts));
  return within_one(most);
}

double busiest(const Facts& facts) {
  return within_one(std::max({facts.get(tag::compute_fraction).value_or(0), issue_of_elapsed(facts),
                              facts.get(tag::memory_fraction).value_or(0),
                              memory_of_ceiling(facts).value_or(0)}));
}

double floor_fraction(const Facts& facts) {
  if (facts.seconds <= 0) return 0;
  if (facts.roofline.seconds <= beaten * facts.seconds)
    return within_one(facts.roofline.seconds / facts.seconds);
  const double ceiling = core::memory_ceiling(facts.ceilings);
  const double bytes = ceiling > 0 ? facts.roofline.bytes / ceiling / facts.seconds : 0;
  return bytes <= beaten ? within_one(bytes) : 0;
}

std::optional<double> sectors_over_ideal(const Facts& facts) {
  const auto touched = facts.get(tag::line_sectors), best = facts.get(tag::line_sectors_ideal);
  if (touched && best && *best > 0) return std::max(1.0, *touched / *best);
  if (facts.get(tag::sass_ldgsts).value_or(0) + facts.get(tag::sass_bulk).value_or(0) +
          facts.get(tag::sass_bulk_tensor).value_or(0) >
      0)
    return std::nullopt;
  return counted_sectors_over_ideal(facts);
}

std::optional<double> counted_sectors_over_ideal(const Facts& facts) {
  double sectors = 0, ideal = 0;
  const auto add = [&](std::string_view requests, std::string_view each, std::string_view at_best) {
    const double count = facts.get(requests).value_or(0), one = facts.get(each).value_or(0);
    sectors += count * one;
    // Threads that all read one address fill a sector badly, and still need one.
    ideal += count * std::min(one, std::max(1.0, facts.get(at_best).value_or(one)));
  };
  add(tag::load_requests, tag::load_sectors, tag::load_sectors_ideal);
  add(tag::store_requests, tag::store_sectors, tag::store_sectors_ideal);
  if (ideal <= 0) return std::nullopt;
  return sectors / ideal;
}

double memory_after(const Facts& facts, double fraction) {
  const double now = memory_of_ceiling(facts).value_or(0);
  const double moved = dram_bytes(facts);
  if (moved <= 0) return now * fraction;
  const double least =
      facts.roofline.bytes * facts.share / moved;  // the launch's part of what must be moved
  return now * std::clamp(std::max(fraction, least), 0.0, 1.0);
}

}  // namespace hone::profile
