// The options of the server for agents, and of the command that its calls run in.
#include <fmt/format.h>

#include "cli/set_up.h"
#include "run/run.h"

namespace hone::cli {

std::function<int()> set_up_mcp(CLI::App& app) {
  auto options = std::make_shared<McpCommand>();
  app.add_option("--folder", options->folder,
                 "The one folder whose files agents may name: read, and written by tools (default: "
                 "the current one)");
  app.add_option("--max-evals", options->max_evals,
                 "Candidates and points that agents may have judged, in this server's life")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--max-minutes", options->max_minutes,
                 "Minutes that processes of this server may work, in its life")
      ->capture_default_str()
      ->check(positive());
  const auto role = [&](const std::string& option, std::map<std::string, std::string>& into,
                        const std::string& name, const std::string& what) {
    app.add_option_function<std::string>(
        option, [&into, name](const std::string& value) { into[name] = value; }, what);
  };
  role("--llm", options->models, "",
       "The model for runs that an agent starts, as for `hone run` (default: $HONE_LLM)");
  role("--price", options->prices, "",
       "IN,OUT[,CACHED]: dollars per million tokens, where the price is not known");
  for (const auto& name : run::role_names()) {
    role("--llm." + name, options->models, name, "Another model for the " + name);
    role("--price." + name, options->prices, name, "Its price");
  }
  app.add_option("--max-usd", options->max_usd,
                 "Dollars that such runs may spend on models, in this server's life")
      ->check(positive());
  app.add_option("--install", options->install,
                 "Serve nothing: write HONE.md, instructions for coding agents, into this folder");
  app.add_flag("--force", options->force, "Overwrite it, whatever it holds");
  add_place(app, *options, options->json);
  app.footer(
      "A client starts it and speaks to it on its standard streams, in revision 2025-11-25 or "
      "2026-07-28 of the protocol (docs/agents.md). It ends with its input.");
  return [options] { return mcp_server(*options); };
}

std::function<int()> set_up_call(CLI::App& app) {
  auto options = std::make_shared<CallCommand>();
  app.group("");
  app.add_option("tool", options->tool, "The tool")->required();
  return [options] { return call_tool(*options); };
}

}  // namespace hone::cli
