// Honest errors on disk: measured once per task, case and variant, they save a reference run on every later start. They
// are not secret.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "judge/judge.h"

namespace hone::judge {
namespace {

std::filesystem::path place(const core::Task& task, const core::DeviceInfo& info) {
  // What torch makes of inputs, in TF32 above all, is another thing on another device.
  const std::string device =
      task.reference_py ? base::Hasher().add(info.uuid).add(info.driver).hex().substr(0, 16) : "";
  return base::home_folder() / "cache" / "honest" /
         fmt::format("{}-{}{}{}.json", task.hash.substr(0, 32), core::name_of(info.language), device.empty() ? "" : "-",
                     device);
}

}  // namespace

void Judge::load_honest_errors() {
  std::error_code ec;
  const auto path = place(task_, info_);
  if (!std::filesystem::is_regular_file(path, ec)) return;
  const auto stored = nlohmann::json::parse(base::read_file(path), nullptr, false);
  if (!stored.is_object()) return;
  for (const auto& [key, errors] : stored.items())
    if (errors.is_array() && errors.size() == task_.outputs.size()) honest_[key] = errors.get<std::vector<double>>();
  honest_saved_ = honest_.size();
}

void Judge::save_honest_errors() {
  if (honest_.size() == honest_saved_) return;
  honest_saved_ = honest_.size();
  try {
    base::make_folder(place(task_, info_).parent_path());
    base::write_file_atomically(place(task_, info_), nlohmann::json(honest_).dump());
  } catch (const base::Error&) {
    // A full or read-only disk: they will be measured again.
  }
}

}  // namespace hone::judge
