#include "runner/ahead.h"

#include <nlohmann/json.hpp>

#include "runner/runner.h"
#include "runner/wire.h"

namespace hone::runner {

using nlohmann::json;

namespace {

constexpr std::uint64_t most_memory = 8ull << 30, largest_archive = 256u << 20;

}  // namespace

std::optional<base::Fd> compile_ahead(const Python& python, const core::DeviceInfo& info, const std::string& image,
                                      double seconds) {
  if (!isolation_problem().empty()) return std::nullopt;  // without name spaces it would have the device
  SandboxSpec spec = python_options(info, false, {python, ""}).sandbox;
  spec.gpu_hidden = true;
  spec.memory_bytes = most_memory;
  spec.processes /= 2;  // all workers are counted together, and those that are being judged need theirs
  Sandboxed process = start_python(python, "ahead.py", spec);
  const base::Fd file = memory_file(image, "image");
  if (!send_packet(process.socket(), json{{"arch", info.arch}}.dump(), {file.get()})) return std::nullopt;
  if (!wait_readable(process.socket(), seconds)) return std::nullopt;
  auto packet = receive_packet(process.socket());
  if (!packet || packet->fds.size() != 1) return std::nullopt;
  // A copy: what came may be anything, and keep anything alive.
  return memory_file(read_memory_file(packet->fds.front(), largest_archive), "compiled");
}

}  // namespace hone::runner
