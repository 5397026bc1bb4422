#pragma once
// What an error of a server means for the caller: which fault it is, with the fix in its sentence,
// or what to leave out of the request so that the server takes it. Nothing here lets a key through.
#include <optional>
#include <string>

#include "llm/client.h"
#include "llm/http.h"
#include "llm/wire.h"

namespace hone::llm {

struct ServerError {
  long status = 0;
  WireError error;
  std::optional<double> retry_after;
};
// From an answer with a bad status, whatever its body is.
ServerError server_error(const HttpEnd& end);
// From an error inside a stream: the status it would have had.
ServerError server_error(const WireError& error);

Fault fault_of(const ServerError& error, const Endpoint& endpoint);
// A connection that failed, or a stream that did not come to its end.
Fault fault_of(const HttpEnd& end, const Endpoint& endpoint, const Wire& wire);

// The name of what was sent and is not taken by this server: an option, "stream_options",
// "tool_choice", "tools", "max_tokens" or "max_completion_tokens".
std::optional<std::string> not_taken(const ServerError& error, const std::string& body);

struct OutputLimit {
  std::int64_t tokens = 0;
  bool of_model = false;  // for every request, not only beside this prompt
};
// How long an answer may be, where the server says that it was asked for too long a one.
std::optional<OutputLimit> output_that_fits(const ServerError& error);

std::string lower(std::string text);  // of ASCII letters
// Without keys, control characters and most of its length.
std::string shown(std::string text, const Endpoint& endpoint);

}  // namespace hone::llm
