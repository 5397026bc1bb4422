#include "runner/skeleton.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::ExitCode;

constexpr double seconds = 600;  // the largest models take a minute to construct
constexpr std::uint64_t memory = 64ull << 30;

}  // namespace

Skeleton skeleton_of(const std::string& problem, const std::string& file, bool with_shapes,
                     const Python& python) {
  SandboxSpec spec;
  spec.memory_bytes = memory;
  if (!isolation_problem().empty()) spec.isolation = Isolation::limits;
  Sandboxed process = start_python(python, "skeleton.py", spec);
  const base::Fd source = memory_file(problem, "reference.py");
  send_packet(process.socket(),
              base::json_line([&](base::Fields& f) { f("op", "skeleton")("sizes", with_shapes); }),
              {source.get()});
  if (!wait_readable(process.socket(), seconds))
    base::fail(ExitCode::bad_input, "{}: its model was not constructed within {} s", file, seconds);
  const auto packet = receive_packet(process.socket());
  if (!packet)
    base::fail(ExitCode::bad_input, "{} {}: {}", file, process.wait_end().text, process.take_log());
  const auto head = head_of(packet->text);
  if (!head) base::fail(ExitCode::bad_input, "{}: no usable answer came back", file);
  if (head->broken) base::fail(ExitCode::environment, "{}", *head->broken);
  if (head->error) base::fail(ExitCode::bad_input, "{} cannot be exported: {}", file, *head->error);
  Skeleton skeleton;
  base::read_json(packet->text, [&](base::Fields& f) {
    f("source", skeleton.source)("forward", skeleton.forward)("names", skeleton.names);
    f("weights", skeleton.weights)("shapes", skeleton.shapes);
  });
  return skeleton;
}

}  // namespace hone::runner
