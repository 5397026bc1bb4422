#include "mcp/messages.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "mcp/server_version.h"

namespace hone::mcp {
namespace {

using base::RawJson;

constexpr int fresh_ms = 0;  // files of the folder may change at any time
constexpr const char* version_key = "io.modelcontextprotocol/protocolVersion";
constexpr const char* capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* server_key = "io.modelcontextprotocol/serverInfo";

// A text, or a whole number.
bool is_id(const RawJson& value) {
  const std::string& text = value.text;
  return !text.empty() &&
         (text[0] == '"' || text.find_first_not_of("-0123456789") == std::string::npos);
}

struct Envelope {
  std::string jsonrpc;
  std::optional<RawJson> id, params, result, error;
  std::optional<std::string> method;
};
void describe(base::Fields& f, Envelope& e) {
  f.optional("jsonrpc", e.jsonrpc).optional("id", e.id).optional("method", e.method);
  f.optional("params", e.params).optional("result", e.result).optional("error", e.error);
}

Fault unsupported(const Message& message) {
  Fault fault{code::unsupported_version, "Unsupported protocol version", message.id, RawJson{}};
  fault.data->text = base::json_line([&](base::Fields& f) {
    f("supported", std::vector<std::string>{std::string(modern_version)});
    f("requested", base::valid_utf8(*message.version));
  });
  return fault;
}

// What `_meta` says. Throws Error where it is not as it should be.
void read_meta(Message& message, bool& has_capabilities) {
  std::optional<RawJson> capabilities, meta;
  base::read_json(message.params.text, [&](base::Fields& f) { f.optional("_meta", meta); });
  if (!meta) return;
  base::read_json(meta->text, [&](base::Fields& f) {
    f.optional("progressToken", message.progress_token);
    f.optional(version_key, message.version);
    f.optional(capabilities_key, capabilities);
  });
  has_capabilities = capabilities && base::is_json_object(capabilities->text);
  if (message.progress_token && !is_id(*message.progress_token)) message.progress_token.reset();
}

base::Result<std::optional<Message>, Fault> checked(const Envelope& envelope) {
  Message message;
  Fault fault;
  if (envelope.id && is_id(*envelope.id)) fault.id = message.id = envelope.id;
  if (envelope.jsonrpc != "2.0") {
    fault.text = R"(a message of JSON-RPC has "jsonrpc": "2.0")";
    return base::Failure{fault};
  }
  if (!envelope.method) {
    if (envelope.result || envelope.error) return std::optional<Message>{};
    fault.text = "a request has a method";
    return base::Failure{fault};
  }
  if (envelope.id && !message.id) {
    fault.text = "an id is a text or a whole number";
    return base::Failure{fault};
  }
  message.method = *envelope.method;
  if (envelope.params) message.params = *envelope.params;
  fault.code = code::invalid_params;
  bool has_capabilities = false;
  try {
    if (!base::is_json_object(message.params.text))
      base::fail(base::ExitCode::usage, "params is an object with names");
    read_meta(message, has_capabilities);
  } catch (const base::Error& error) {
    fault.text = error.what();
    return base::Failure{fault};
  }
  if (message.version && message.id) {
    if (*message.version != modern_version) return base::Failure{unsupported(message)};
    if (!has_capabilities) {
      fault.text = fmt::format("_meta has no \"{}\", which every request has", capabilities_key);
      return base::Failure{fault};
    }
  }
  return std::optional(message);
}

}  // namespace

base::Result<std::optional<Message>, Fault> message_from(std::string_view line) {
  Fault fault;
  if (!base::is_json(line)) {
    fault.code = code::parse_error;
    fault.text = "this is no JSON: a message is one object in one line";
    return base::Failure{fault};
  }
  Envelope envelope;
  try {
    if (!base::is_json_object(line))
      base::fail(base::ExitCode::usage, "a message is one object; batches are not part of MCP");
    base::read_json(line, base::description_of(envelope));
  } catch (const base::Error& error) {
    fault.text = error.what();
    return base::Failure{fault};
  }
  return checked(envelope);
}

std::string& server_version() {
  static std::string version = "unknown";
  return version;
}

void describe_server(base::Fields& f) {
  f("name", "hone")("title", "Hone")("version", server_version());
}

std::string result_line(const RawJson& id, const base::Description& result, ResultForm form) {
  return base::json_line([&](base::Fields& f) {
    f("jsonrpc", "2.0")("id", RawJson(id));
    f.group("result", [&] {
      result(f);
      if (!form.modern) return;
      f("resultType", "complete");
      f.group("_meta", [&] { f.group(server_key, [&] { describe_server(f); }); });
      if (form.cached) f("ttlMs", fresh_ms)("cacheScope", "private");
    });
  });
}

std::string error_line(const Fault& fault) {
  return base::json_line([&](base::Fields& f) {
    f("jsonrpc", "2.0").sparse("id", fault.id);
    f.group("error", [&] {
      f("code", fault.code)("message", base::valid_utf8(fault.text)).sparse("data", fault.data);
    });
  });
}

std::string notification_line(std::string_view method, const base::Description& params) {
  return base::json_line([&](base::Fields& f) {
    f("jsonrpc", "2.0")("method", method);
    f.group("params", [&] { params(f); });
  });
}

}  // namespace hone::mcp
