#include "runner/ahead.h"

#include <nlohmann/json.hpp>

#include "runner/runner.h"
#include "runner/wire.h"

namespace hone::runner {

using nlohmann::json;

std::optional<base::Fd> compile_ahead(const Python& python, const core::DeviceInfo& info, const std::string& image,
                                      double seconds) {
  if (!isolation_problem().empty()) return std::nullopt;  // without name spaces it would have the device
  SandboxSpec spec = python_options(info, false, {python, ""}).sandbox;
  spec.gpu_hidden = true;
  Sandboxed process = start_python(python, "ahead.py", spec);
  const base::Fd file = memory_file(image, "image");
  if (!send_packet(process.socket(), json{{"arch", info.arch}}.dump(), {file.get()})) return std::nullopt;
  if (!wait_readable(process.socket(), seconds)) return std::nullopt;
  auto packet = receive_packet(process.socket());
  if (!packet || packet->fds.size() != 1) return std::nullopt;
  return std::move(packet->fds.front());
}

}  // namespace hone::runner
