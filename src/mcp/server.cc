#include "mcp/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/fields.h"
#include "mcp/offers.h"

namespace hone::mcp {
namespace {

using base::RawJson;

constexpr std::size_t most_listening = 64;
constexpr const char* subscription_key = "io.modelcontextprotocol/subscriptionId";
constexpr const char* instructions =
    "Hone judges GPU kernels: whether a candidate is right and honest, how fast it is, why it is "
    "slow, and whether one is faster than another. Read the resource hone://guide first.";

void describe_capabilities(base::Fields& f) {
  const auto nothing = [](base::Fields&) {};
  f.group("capabilities", [&] { f("tools", nothing)("resources", nothing)("prompts", nothing); });
}

void describe_tools(base::Fields& f) {
  f.list("tools", tools(), [&](const Tool& tool) {
    f("name", tool.name)("title", tool.title)("description", tool.about);
    f("inputSchema", RawJson{tool.arguments})("outputSchema", RawJson{tool.result});
    f.group("annotations", [&] {
      f("title", tool.title)("readOnlyHint", tool.reads_only)("destructiveHint", false);
      f("openWorldHint", tool.runs == Tool::Runs::background);
    });
  });
}

struct CallParams {
  std::string name;
  RawJson arguments{"{}"};
};
void describe(base::Fields& f, CallParams& params) {
  f("name", params.name).optional("arguments", params.arguments);
}

}  // namespace

Server::Server(const ServerOptions& options, int out)
    : place_(options.place), output_(out), calls_(place_, options.max_evals, options.max_minutes) {}

Server::~Server() {
  for (const auto& request : listening_)
    request->answer([&](base::Fields& f) {
      f.group("_meta", [&] { f(subscription_key, RawJson(*request->message().id)); });
    });
}

void Server::refuse_long_line() {
  Fault fault;
  fault.text = fmt::format("a message has more than {} bytes", longest_message);
  output_.put(error_line(fault));
}

void Server::take(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  auto message = message_from(line);
  if (!message) return output_.put(error_line(message.error()));
  if (!*message) return;
  if (!(*message)->id) return take_notification(**message);
  const std::string id = (*message)->id->text;
  std::erase_if(in_flight_, [](const auto& entry) { return entry.second.expired(); });
  auto request = std::make_shared<Request>(output_, **std::move(message));
  if (const auto found = in_flight_.find(id); found != in_flight_.end())
    if (const auto other = found->second.lock(); other && !other->over() && !other->cancelled())
      return request->refuse({code::invalid_request,
                              fmt::format("the id {} belongs to a request that is not answered "
                                          "yet",
                                          id.substr(0, 60)),
                              {},
                              {}});
  in_flight_[id] = request;
  try {
    dispatch(std::move(request));
  } catch (const std::exception& error) {
    output_.put(error_line({code::internal, error.what(), RawJson{id}, {}}));
  }
}

void Server::take_notification(const Message& message) {
  if (message.method != "notifications/cancelled") return;
  RawJson id;
  try {
    base::read_json(message.params.text, [&](base::Fields& f) { f("requestId", id); });
  } catch (const base::Error&) {
    return;  // of what cannot be read nothing is told: it has no id
  }
  const auto found = in_flight_.find(id.text);
  if (found == in_flight_.end()) return;
  if (const auto request = found->second.lock()) {
    request->cancel();
    listening_.erase(request);
  }
}

void Server::dispatch(std::shared_ptr<Request> request) {
  const std::string& method = request->message().method;
  const bool needs_no_version = method == "initialize" || method == "ping";
  if (!request->modern() && !initialized_ && !needs_no_version)
    return request->refuse(
        {code::invalid_params,
         fmt::format("this request says no protocol version: begin with `initialize` ({}), or give "
                     "each request \"io.modelcontextprotocol/protocolVersion\": \"{}\" in _meta",
                     legacy_version, modern_version),
         {},
         {}});
  if (answer_at_once(*request)) return;
  if (method == "tools/call") return call_tool(request);
  if (method == "resources/read") return read_resource(request);
  if (method == "subscriptions/listen" && request->modern()) return listen(request);
  if (method == "resources/list")
    return calls_.start(request, [this](Request& r) {
      try {
        const auto list = resources(place_);
        r.answer([&](base::Fields& f) { describe_resources(f, list); }, true);
      } catch (const base::Error& error) {
        r.refuse({code::internal, error.what(), {}, {}});
      }
    });
  request->refuse({code::method_not_found,
                   fmt::format("there is no method {}", base::valid_utf8(method.substr(0, 60))),
                   {},
                   {}});
}

bool Server::answer_at_once(Request& request) {
  const std::string& method = request.message().method;
  if (method == "tools/list")
    request.answer(describe_tools, true);
  else if (method == "resources/templates/list")
    request.answer(describe_templates, true);
  else if (method == "prompts/list")
    request.answer(describe_prompts, true);
  else if (method == "prompts/get")
    get_prompt(request);
  else if (method == "server/discover" && request.modern())
    request.answer(
        [](base::Fields& f) {
          f("supportedVersions", std::vector{modern_version})("instructions", instructions);
          describe_capabilities(f);
        },
        true);
  else if (method == "initialize" && !request.modern())
    initialize(request);
  else if (method == "ping" && !request.modern())
    request.answer([](base::Fields&) {});
  else
    return false;
  return true;
}

// Whatever the client offers, it gets the one revision of its kind that is spoken here.
void Server::initialize(Request& request) {
  initialized_ = true;
  request.answer([](base::Fields& f) {
    f("protocolVersion", legacy_version)("instructions", instructions);
    describe_capabilities(f);
    f.group("serverInfo", [&] { describe_server(f); });
  });
}

void Server::call_tool(const std::shared_ptr<Request>& request) {
  const auto params = base::from_json<CallParams>(request->message().params.text);
  if (!params) return request->refuse({code::invalid_params, params.error(), {}, {}});
  const Tool* tool = find_tool(params->name);
  const bool has_arguments = params->arguments.text != "null";
  if (tool != nullptr)
    return calls_.start(request, *tool, has_arguments ? params->arguments.text : "{}");
  std::string names;
  for (const auto& one : tools()) names += (names.empty() ? "" : ", ") + one.name;
  request->refuse({code::invalid_params,
                   fmt::format("Unknown tool: {}; there are {}",
                               base::valid_utf8(params->name.substr(0, 60)), names),
                   {},
                   {}});
}

void Server::read_resource(const std::shared_ptr<Request>& request) {
  const std::string uri = base::text_field(request->message().params.text, "uri");
  calls_.start(request, [this, uri](Request& r) {
    Fault fault{r.modern() ? code::invalid_params : code::resource_not_found, "", {}, {}};
    try {
      const auto answer_of = [&](const std::string& tool, const std::string& arguments) {
        return calls_.answer_of(r, *find_tool(tool), arguments);
      };
      const auto text = mcp::read_resource(place_, uri, answer_of);
      if (text)
        return r.answer(
            [&](base::Fields& f) {
              f.list("contents", std::vector{*text}, [&](const std::string& one) {
                f("uri", uri)("mimeType", "text/markdown")("text", base::valid_utf8(one));
              });
            },
            true);
      fault.text = fmt::format("there is no resource {}; resources/list has them",
                               base::valid_utf8(uri.substr(0, 200)));
    } catch (const base::Error& error) {
      fault.text = error.what();
    } catch (const std::exception& error) {
      fault = {code::internal, error.what(), {}, {}};
    }
    r.refuse(fault);
  });
}

void Server::get_prompt(Request& request) {
  CallParams params;
  std::optional<std::string> text;
  try {
    base::read_json(request.message().params.text, base::description_of(params));
    text = prompt_text(params.name, params.arguments.text);
  } catch (const base::Error& error) {
    return request.refuse({code::invalid_params, error.what(), {}, {}});
  }
  if (!text)
    return request.refuse(
        {code::invalid_params,
         fmt::format("there is no prompt {}", base::valid_utf8(params.name.substr(0, 60))),
         {},
         {}});
  request.answer([&](base::Fields& f) {
    f("description", "Make this kernel faster with Hone");
    f.list("messages", std::vector{*text}, [&](const std::string& one) {
      f("role", "user");
      f.group("content", [&] { f("type", "text")("text", base::valid_utf8(one)); });
    });
  });
}

// Nothing here changes but files, which are read when they are asked for: no notification follows.
void Server::listen(const std::shared_ptr<Request>& request) {
  if (listening_.size() >= most_listening)
    return request->refuse({code::internal, "there are too many subscriptions", {}, {}});
  listening_.insert(request);
  output_.put(notification_line("notifications/subscriptions/acknowledged", [&](base::Fields& f) {
    f.group("_meta", [&] { f(subscription_key, RawJson(*request->message().id)); });
    f("notifications", [](base::Fields&) {});
  }));
}

int serve(const ServerOptions& options, int in, int out) {
  Server server(options, out);
  std::string text;
  bool too_long = false;  // the line at hand; the rest of it is passed over
  char part[1 << 16];
  while (true) {
    const ssize_t n = ::read(in, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(part, static_cast<std::size_t>(n));
    std::size_t from = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
      if (!std::exchange(too_long, false))
        server.take(std::string_view(text).substr(from, end - from));
      from = end + 1;
    }
    text.erase(0, from);
    if (text.size() <= longest_message) continue;
    if (!std::exchange(too_long, true)) server.refuse_long_line();
    text.clear();
  }
  return 0;
}

}  // namespace hone::mcp
