#include "llm/exec_client.h"

#include <fmt/format.h>

#include "base/command.h"
#include "base/json.h"
#include "llm/prompt.h"

namespace hone::llm {
namespace {

constexpr std::size_t most_output = std::size_t{16} << 20;
constexpr int cannot_execute = 126,
              not_found = 127;  // what sh says of a command that cannot be started

std::string ending_of(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text.empty() ? "; it wrote nothing to stderr" : ":\n" + base::valid_utf8(std::move(text));
}

std::optional<Fault> fault_of(const base::CommandEnd& end, const std::string& line, double limit) {
  using Why = base::CommandEnd::Why;
  switch (end.why) {
    case Why::cancelled:
      return Fault{FaultKind::cancelled, "the command was stopped", {}, Usage{}};
    case Why::timed_out:
      return Fault{FaultKind::timed_out,
                   fmt::format("'{}' did not end within {:g} s", line, limit),
                   {},
                   Usage{}};
    case Why::too_much:
      return Fault{FaultKind::malformed,
                   fmt::format("'{}' wrote more than {} MiB to stdout", line, most_output >> 20),
                   {},
                   Usage{}};
    case Why::signalled:
      return Fault{
          FaultKind::server,
          fmt::format("'{}' was ended by signal {}{}", line, end.code, ending_of(end.error_tail)),
          {},
          Usage{}};
    case Why::exited:
      break;
  }
  if (end.code == 0) return std::nullopt;
  const auto kind =
      end.code == not_found || end.code == cannot_execute ? FaultKind::rejected : FaultKind::server;
  return Fault{kind,
               fmt::format("'{}' exited with {}{}", line, end.code, ending_of(end.error_tail)),
               {},
               Usage{}};
}

}  // namespace

ExecClient::ExecClient(std::string line, std::chrono::milliseconds limit)
    : line_(std::move(line)), limit_(limit) {}

base::Result<Reply, Fault> ExecClient::ask(const Request& request, const Cancel& cancel) {
  const auto start = std::chrono::steady_clock::now();
  base::Command command;
  command.line = line_;
  command.input = whole_text(request);
  command.environment = {{"HONE_ROLE", request.role}, {"HONE_STEP", request.step}};
  command.limit = limit_;
  command.most_output = most_output;
  auto end = base::run_command(command, cancel);
  if (auto fault = fault_of(end, line_, std::chrono::duration<double>(limit_).count()))
    return base::Failure{std::move(*fault)};
  if (end.output.find_first_not_of(" \t\r\n") == std::string::npos)
    return base::Failure{
        Fault{FaultKind::empty,
              fmt::format("'{}' wrote no answer{}", line_, ending_of(end.error_tail)),
              {},
              Usage{}}};
  Reply reply;
  reply.text = base::valid_utf8(std::move(end.output));
  reply.model = "exec";
  reply.stop = "exit";
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

}  // namespace hone::llm
