#include "tables/recorded_baselines.h"

#include "judge/torch/baseline.h"

namespace hone::tables {

RecordedBaselines::RecordedBaselines(std::filesystem::path home, std::filesystem::path out)
    : home_(std::move(home)), out_(std::move(out)), lines_(read_baselines(home_)) {
  if (out_.empty()) return;
  in_out_ = read_baselines(out_);
  lines_.insert(lines_.end(), in_out_.begin(), in_out_.end());
}

std::vector<BaselineLine> RecordedBaselines::find(const std::string& reference,
                                                  const core::DeviceInfo& info,
                                                  const Reuse& reuse) const {
  std::vector<BaselineLine> found;
  if (reuse.again) return found;
  for (const auto& class_name : judge::class_names) {
    const auto* line = find_baseline(lines_, reference, info.uuid, class_name);
    if (line == nullptr && reuse.by_model) line = of_the_same_model(reference, info, class_name);
    if (line == nullptr) return {};
    if (!line->failed.empty() && (reuse.retry || line->transient)) return {};
    found.push_back(*line);
  }
  return found;
}

void RecordedBaselines::copy_out(const std::vector<BaselineLine>& lines) const {
  if (out_.empty()) return;
  for (const auto& line : lines) {
    const auto* there = find_baseline(in_out_, line.reference, line.device, line.class_name);
    if (there == nullptr || there->failed != line.failed) append_baseline(out_, line);
  }
}

void RecordedBaselines::append(const BaselineLine& line) const {
  append_baseline(home_, line);
  if (!out_.empty()) append_baseline(out_, line);
}

const BaselineLine* RecordedBaselines::of_the_same_model(const std::string& reference,
                                                         const core::DeviceInfo& info,
                                                         const std::string& class_name) const {
  for (const auto& line : lines_)
    if (line.device_name == info.name)
      if (const auto* found = find_baseline(lines_, reference, line.device, class_name))
        return found;
  return nullptr;
}

}  // namespace hone::tables
