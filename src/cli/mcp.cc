// `hone mcp`: see mcp/server.h. `hone call`: see mcp/apart.h.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/error.h"
#include "base/project_files.h"
#include "base/resources.h"
#include "cli/commands.h"
#include "cli/streams.h"
#include "cli/version.h"
#include "mcp/apart.h"
#include "mcp/install.h"
#include "mcp/server.h"
#include "mcp/server_version.h"
#include "run/interrupt.h"

namespace hone::cli {
namespace {

int install(const McpCommand& command) {
  const auto result = mcp::install({command.install, command.force});
  if (command.json) {
    put_json(result);
    return 0;
  }
  fmt::print(
      "wrote {}\nTell your agent of it, in AGENTS.md or CLAUDE.md for instance: \"Read {} before "
      "you change a kernel.\"\nAnd give its client the server:\n{}",
      result.file, std::filesystem::path(result.file).filename().string(), result.server);
  return 0;
}

// What was named from where the server was started is found from its folder too; and what an agent
// writes there changes nothing of how it is judged.
void leave_for(const std::filesystem::path& folder) {
  for (const char* variable : {"HONE_HOME", "HONE_KERNELBENCH", "HONE_LEASES"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      ::setenv(variable, std::filesystem::absolute(value).c_str(), 1);
  if (!base::resource_folder().empty())
    base::set_resource_folder(std::filesystem::absolute(base::resource_folder()));
  ::setenv(base::project_files_variable, "off", 1);
  std::filesystem::current_path(folder);
}

}  // namespace

int mcp_server(const McpCommand& command) {
  if (!command.install.empty()) return install(command);
  if (command.json || command.force)
    base::fail(base::ExitCode::usage, "--json and --force go with --install DIR");
  mcp::ServerOptions options;
  options.place = mcp::place_at(command.folder.empty() ? "." : command.folder);
  options.place.common = command;
  if (!command.archive.empty())
    options.place.common.archive = std::filesystem::absolute(command.archive).string();
  options.place.models = command.models;
  options.place.prices = command.prices;
  options.place.max_usd = command.max_usd;
  options.max_evals = command.max_evals;
  options.max_minutes = command.max_minutes;
  leave_for(options.place.folder);
  mcp::server_version() = version;
  ::signal(SIGPIPE, SIG_IGN);  // a client that is gone also closes the input
  if (::isatty(STDIN_FILENO) != 0)
    fmt::print(stderr,
               "hone mcp: this is a server for programs, which reads JSON-RPC on standard input; "
               "`hone mcp --install DIR` says how an agent gets it. Ctrl-D ends it.\n");
  return mcp::serve(options, STDIN_FILENO, STDOUT_FILENO);
}

int call_tool(const CallCommand& command) {
  const mcp::Tool* tool = mcp::find_tool(command.tool);
  tool != nullptr && tool->finishes ? run::finish_when_interrupted()
                                    : run::leave_when_interrupted();
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  mcp::serve_call(command.tool, request, run::Interrupt().flag(), [](const std::string& line) {
    put(line + "\n");
    std::fflush(stdout);
  });
  return 0;
}

}  // namespace hone::cli
