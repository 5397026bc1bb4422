#include "runner/inspect.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "runner/inspect_child.h"
#include "runner/sandbox.h"
#include "runner/wire.h"

namespace hone::runner {

using base::Failure;

namespace {

constexpr std::uint64_t most_output = 64u << 20;  // a listing takes some 100 bytes an instruction
constexpr std::size_t most_error_text = 500;

}  // namespace

base::Result<std::string> inspect(const Inspection& inspection) {
  const std::string name = std::filesystem::path(inspection.program).filename();
  SandboxSpec spec;
  spec.file_bytes = most_output;
  if (!isolation_problem().empty()) spec.isolation = Isolation::limits;
  std::error_code ec;
  const auto real = std::filesystem::canonical(inspection.program, ec);
  if (ec) return Failure{fmt::format("{} is missing: {}", inspection.program, ec.message())};
  spec.readable = {real.parent_path().string()};
  Sandboxed process = start_sandboxed(spec);
  const base::Fd contents = memory_file(inspection.contents, "contents");
  std::vector<std::string> command = {real.string()};
  command.insert(command.end(), inspection.arguments.begin(), inspection.arguments.end());
  send_packet(process.socket(), to_text(InspectOrder{command}), {contents.get()});
  if (!wait_readable(process.socket(), inspection.seconds)) {
    process.kill();
    return Failure{fmt::format("{} did not finish within {:.3g} s", name, inspection.seconds)};
  }
  const auto packet = receive_packet(process.socket());
  if (!packet) return Failure{fmt::format("{} {}", name, process.wait_end().text)};
  const auto head = head_of(packet->text);
  if (!head || packet->fds.size() != 2 || head->broken)
    return Failure{fmt::format("{} could not be run: {}", name,
                               head ? head->broken.value_or("?") : std::string("?"))};
  int code = -1;
  base::read_json(packet->text, [&](base::Fields& f) { f.lenient("code", code); });
  if (code != 0)
    return Failure{
        fmt::format("{} failed ({}): {}", name, code,
                    read_memory_file(packet->fds[1], most_output).substr(0, most_error_text))};
  return read_memory_file(packet->fds[0], most_output);
}

}  // namespace hone::runner
