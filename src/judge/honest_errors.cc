
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "judge/inputs.h"

namespace hone::judge {
namespace {

std::filesystem::path path_of(const core::Task& task, const core::DeviceInfo& info) {
  // The errors that torch makes, above all with TF32, differ from device to device.
  const std::string device =
      task.reference_py ? base::Hasher().add(info.uuid).add(info.driver).hex().substr(0, 16) : "";
  return base::home_folder() / "cache" / "honest" /
         fmt::format("{}-{}{}{}.json", task.hash.substr(0, 32), core::name_of(info.language),
                     device.empty() ? "" : "-", device);
}

}  // namespace

HonestErrors load_honest_errors(const core::Task& task, const core::DeviceInfo& info) {
  HonestErrors errors;
  std::error_code ec;
  const auto path = path_of(task, info);
  if (!std::filesystem::is_regular_file(path, ec)) return errors;
  auto stored = base::from_json<HonestErrors>(base::read_file(path));
  if (stored) errors = *std::move(stored);
  std::erase_if(errors, [&](const auto& one) { return one.second.size() != task.outputs.size(); });
  return errors;
}

void save_honest_errors(const core::Task& task, const core::DeviceInfo& info,
                        const HonestErrors& errors) {
  try {
    const auto path = path_of(task, info);
    base::make_folder(path.parent_path());
    base::write_file_atomically(path, base::json_line(errors));
  } catch (const base::Error&) {
    // A full or read-only disk: they will be measured again.
  }
}

}  // namespace hone::judge
