// Ceilings on disk: one small JSON file for each device and driver.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "judge/ceilings.h"

namespace hone::judge {
namespace {

using nlohmann::json;

// Of the file and of the programs that measure. The first version is read too: it lacks what starting costs.
constexpr int ceilings_version = 2, oldest_version = 1, version_with_starts = 2;

json to_json(const CeilingProbe& probe) {
  return {{"kind", probe.kind}, {"kernel", probe.kernel}, {"shape", probe.shape}, {"rate", probe.rate}};
}

CeilingRecord record_from(const json& stored) {
  CeilingRecord record;
  record.best.read = stored.at("read");
  record.best.write = stored.at("write");
  record.best.copy = stored.at("copy");
  record.best.flops = stored.at("flops").get<std::map<std::string, double>>();
  for (const auto& probe : stored.at("probes"))
    record.probes.push_back({probe.at("kind"), probe.at("kernel"), probe.at("shape"), probe.at("rate")});
  record.problems = stored.at("problems").get<std::vector<std::string>>();
  record.others = stored.at("others").get<std::vector<std::string>>();
  record.seconds = stored.at("seconds");
  record.starts = stored.at("version") >= version_with_starts;
  if (!record.starts) return record;
  record.best.groups = stored.at("groups");
  record.best.calls = stored.at("calls");
  return record;
}

}  // namespace

void keep_the_better(CeilingRecord& record, const CeilingRecord& earlier) {
  core::Ceilings& best = record.best;
  best.read = std::max(best.read, earlier.best.read);
  best.write = std::max(best.write, earlier.best.write);
  best.copy = std::max(best.copy, earlier.best.copy);
  best.groups = std::max(best.groups, earlier.best.groups);
  best.calls = std::max(best.calls, earlier.best.calls);
  for (const auto& [kind, rate] : earlier.best.flops) best.flops[kind] = std::max(best.flops[kind], rate);
}

std::filesystem::path ceilings_place(const core::DeviceInfo& info) {
  const std::string key = base::Hasher().add(info.uuid).add(info.driver).hex();
  return base::home_folder() / "ceilings" / (key.substr(0, 32) + ".json");
}

std::optional<CeilingRecord> kept_ceilings(const core::DeviceInfo& info) {
  std::error_code ec;
  const auto place = ceilings_place(info);
  if (!std::filesystem::is_regular_file(place, ec)) return std::nullopt;
  try {
    const json stored = json::parse(base::read_file(place, base::largest_text_file));
    const int version = stored.at("version");
    if (version < oldest_version || version > ceilings_version || stored.at("uuid") != info.uuid) return std::nullopt;
    return record_from(stored);
  } catch (const json::exception&) {
    return std::nullopt;  // damaged: measured again
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

void keep_ceilings(const core::DeviceInfo& info, const CeilingRecord& record) {
  json probes = json::array();
  for (const auto& probe : record.probes) probes.push_back(to_json(probe));
  const json stored = {{"version", ceilings_version},  {"device", info.name},        {"uuid", info.uuid},
                       {"driver", info.driver},        {"read", record.best.read},   {"write", record.best.write},
                       {"copy", record.best.copy},     {"flops", record.best.flops}, {"probes", probes},
                       {"problems", record.problems},  {"others", record.others},    {"seconds", record.seconds},
                       {"groups", record.best.groups}, {"calls", record.best.calls}};
  base::make_folder(ceilings_place(info).parent_path());
  base::write_file_atomically(ceilings_place(info), stored.dump(1) + "\n");
}

core::Ceilings ceilings_of(const core::DeviceInfo& info, bool measure_if_missing, const CeilingOptions& options) {
  if (info.language == core::Language::fake) return {};
  const auto kept = kept_ceilings(info);
  if (kept && (kept->starts || !info.is_cpu || !measure_if_missing)) return kept->best;
  if (!measure_if_missing) return {};
  CeilingRecord record;
  try {
    record = measure_ceilings(info, options);
    if (kept) keep_the_better(record, *kept);
    keep_ceilings(info, record);
  } catch (const base::Error& error) {
    options.progress(fmt::format("the ceilings of {} are not known or cannot be kept: {}", info.id, error.what()));
  }
  if (kept && record.probes.empty()) return kept->best;
  return record.best;
}

}  // namespace hone::judge
