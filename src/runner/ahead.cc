#include "runner/ahead.h"

#include "runner/messages.h"
#include "runner/runner_options.h"
#include "runner/wire.h"

namespace hone::runner {

namespace {

constexpr std::uint64_t most_memory = 8ull << 30, largest_archive = 256u << 20;

}  // namespace

std::optional<base::Fd> compile_ahead(const Python& python, const core::DeviceInfo& info,
                                      const std::string& image, double seconds) {
  if (!isolation_problem().empty())
    return std::nullopt;  // without namespaces it could not be kept from the device
  SandboxSpec spec = python_options(info, false, {python, ""}).sandbox;
  spec.gpu_hidden = true;
  spec.memory_bytes = most_memory;
  spec.processes /=
      2;  // all workers are counted together: half is left to those that are being judged
  Sandboxed process = start_python(python, "ahead.py", spec);
  const base::Fd file = memory_file(image, "image");
  if (!send_packet(process.socket(), answer_with("arch", info.arch), {file.get()}))
    return std::nullopt;
  if (!wait_readable(process.socket(), seconds)) return std::nullopt;
  auto packet = receive_packet(process.socket());
  if (!packet || packet->fds.size() != 1) return std::nullopt;
  // A copy: the descriptor comes from a hostile process, which could change the file later.
  return memory_file(read_memory_file(packet->fds.front(), largest_archive), "compiled");
}

}  // namespace hone::runner
