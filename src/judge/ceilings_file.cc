// Ceilings on disk: one JSON file for each device and driver.
#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "judge/ceilings.h"
#include "judge/device_state.h"

namespace hone::judge {
namespace {

// The version of the file's format and of the programs that measure. Files of version 1 are read
// too, without start rates.
constexpr int ceilings_version = 2, oldest_version = 1, version_with_start_rates = 2;

struct SavedCeilings {
  int version = ceilings_version;
  std::string device, uuid, driver;  // device: its name
  CeilingRecord record;
};

void describe(base::Fields& f, SavedCeilings& saved) {
  f("version", saved.version);
  f.optional("device", saved.device);
  f("uuid", saved.uuid);
  f.optional("driver", saved.driver);
  f.value(saved.record.best);
  f("probes", saved.record.probes)("problems", saved.record.problems);
  f("others", saved.record.other_users)("seconds", saved.record.seconds);
}

}  // namespace

void describe(base::Fields& f, CeilingProbe& probe) {
  f("kind", probe.kind)("kernel", probe.kernel)("shape", probe.shape)("rate", probe.rate);
}

void merge_best_rates(CeilingRecord& record, const CeilingRecord& earlier) {
  core::Ceilings& best = record.best;
  best.read = std::max(best.read, earlier.best.read);
  best.write = std::max(best.write, earlier.best.write);
  best.copy = std::max(best.copy, earlier.best.copy);
  best.groups = std::max(best.groups, earlier.best.groups);
  best.calls = std::max(best.calls, earlier.best.calls);
  for (const auto& [kind, rate] : earlier.best.flops)
    best.flops[kind] = std::max(best.flops[kind], rate);
}

std::filesystem::path ceilings_path(const core::DeviceInfo& info) {
  const std::string key = base::Hasher().add(info.uuid).add(info.driver).hex();
  return base::home_folder() / "ceilings" / (key.substr(0, 32) + ".json");
}

std::optional<CeilingRecord> saved_ceilings(const core::DeviceInfo& info) {
  std::error_code ec;
  const auto path = ceilings_path(info);
  if (!std::filesystem::is_regular_file(path, ec)) return std::nullopt;
  try {
    auto saved = base::from_json<SavedCeilings>(base::read_file(path, base::largest_text_file));
    if (!saved || saved->version < oldest_version || saved->version > ceilings_version ||
        saved->uuid != info.uuid)
      return std::nullopt;  // damaged, or of another device: it is measured again
    saved->record.has_start_rates = saved->version >= version_with_start_rates;
    return std::move(saved->record);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

void save_ceilings(const core::DeviceInfo& info, const CeilingRecord& record) {
  const SavedCeilings saved{ceilings_version, info.name, info.uuid, info.driver, record};
  base::make_folder(ceilings_path(info).parent_path());
  base::write_file_atomically(ceilings_path(info), base::json_text(saved, 1));
}

namespace {

// Of a CPU a single reading of /proc tells nothing of the last seconds; the load of the last minute
// does.
bool is_used_by_others(const core::DeviceInfo& info) {
  constexpr double idle_part = 0.3;  // of the cores
  if (!core::capabilities(info).native_code) return !device_state(info).other_users.empty();
  double load = 0;
  return ::getloadavg(&load, 1) == 1 && load > idle_part * info.sm_count;
}

}  // namespace

bool is_worth_measuring_again(const CeilingRecord& saved, bool native_code, bool others_now) {
  if (native_code && !saved.has_start_rates) return true;  // only CPUs have start rates
  return !saved.other_users.empty() && !others_now;
}

core::Ceilings ceilings_of(const core::DeviceInfo& info, bool measure_if_missing,
                           const CeilingOptions& options) {
  if (info.language == core::Language::fake) return {};
  const auto saved = saved_ceilings(info);
  const auto others_now = [&] { return !saved->other_users.empty() && is_used_by_others(info); };
  const bool measures = !saved || is_worth_measuring_again(
                                      *saved, core::capabilities(info).native_code, others_now());
  if (saved && (!measure_if_missing || !measures)) return saved->best;
  if (!measure_if_missing) return {};
  if (saved && !saved->other_users.empty())
    options.progress(fmt::format(
        "other programs used {} when its ceilings were measured: they are measured again",
        info.id));
  CeilingRecord record;
  try {
    record = measure_ceilings(info, options);
    if (saved) merge_best_rates(record, *saved);
    save_ceilings(info, record);
  } catch (const base::Error& error) {
    options.progress(
        fmt::format("the ceilings of {} cannot be measured or saved: {}", info.id, error.what()));
  }
  if (saved && record.probes.empty()) return saved->best;
  return record.best;
}

}  // namespace hone::judge
