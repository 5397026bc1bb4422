#pragma once
// JSON-RPC as MCP uses it on standard streams: one message a line. Revision 2025-11-25 opens with
// `initialize`; of 2026-07-28 every request carries its version in `_meta`. What comes in is from a
// stranger: it is read into structs or refused with a code and a sentence. Pure functions.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace hone::mcp {

inline constexpr std::string_view legacy_version = "2025-11-25", modern_version = "2026-07-28";

// Codes of errors of the protocol. What a tool says of its work is no such error.
namespace code {
inline constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601,
                     invalid_params = -32602, internal = -32603,
                     resource_not_found = -32002,  // 2025-11-25 only; later: invalid_params
    unsupported_version = -32022;
}  // namespace code

struct Fault {
  int code = code::invalid_request;
  std::string text;
  std::optional<base::RawJson> id;  // of the request, where it could be read
  std::optional<base::RawJson> data;
};

// A request, or without an id a notification.
struct Message {
  std::optional<base::RawJson> id;
  std::string method;
  base::RawJson params{"{}"};
  std::optional<base::RawJson> progress_token;
  std::optional<std::string> version;  // of its _meta: it is of 2026-07-28 or later
};

// Nothing: a response, which this server never asked for.
base::Result<std::optional<Message>, Fault> message_from(std::string_view line);

// ---- what goes out, each in one line without its end
// `modern`: with what 2026-07-28 has in every result. `cached`: with how long it may be kept.
struct ResultForm {
  bool modern = false, cached = false;
};
std::string result_line(const base::RawJson& id, const base::Description& result, ResultForm form);
std::string error_line(const Fault& fault);
std::string notification_line(std::string_view method, const base::Description& params);

void describe_server(base::Fields& fields);  // its name and version

}  // namespace hone::mcp
