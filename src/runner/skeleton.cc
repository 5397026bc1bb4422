#include "runner/skeleton.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::ExitCode;
using nlohmann::json;

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
  send_packet(process.socket(), json{{"op", "skeleton"}, {"sizes", with_shapes}}.dump(),
              {source.get()});
  if (!wait_readable(process.socket(), seconds))
    base::fail(ExitCode::bad_input, "{}: its model was not constructed within {} s", file, seconds);
  const auto packet = receive_packet(process.socket());
  if (!packet)
    base::fail(ExitCode::bad_input, "{} {}: {}", file, process.wait_end().text, process.take_log());
  const json body = json::parse(packet->text, nullptr, false);
  if (!body.is_object()) base::fail(ExitCode::bad_input, "{}: no usable answer came back", file);
  if (body.contains("broken"))
    base::fail(ExitCode::environment, "{}", body.value("broken", std::string("?")));
  if (body.contains("error"))
    base::fail(ExitCode::bad_input, "{} cannot be exported: {}", file,
               body.value("error", std::string("?")));
  return {body.at("source"), body.at("forward"), body.at("names"), body.at("weights"),
          body.at("shapes")};
}

}  // namespace hone::runner
