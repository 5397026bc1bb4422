#pragma once
// What the two wire formats have in common and where they differ. A Wire is a row of functions: how
// a request is written and how an event of the stream is read. Everything around it (connections,
// faults, options that a server does not take) is the HttpClient's.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "llm/client.h"
#include "llm/http.h"

namespace hone::llm {

// Where and whom to ask. Options are as the user wrote them, values as JSON: {"temperature":
// "0.7"}.
struct Endpoint {
  std::string name;  // the whole spec
  std::string model, url, host;
  std::string key, key_variable;  // key "": none is sent
  bool first_party = false;       // the provider's own host
  bool through_proxy = true;
  std::map<std::string, std::string> options;
  std::optional<std::int64_t> max_output;
  HttpTimes times;
};

// What a server has complained about and is not sent again.
struct Quirks {
  std::set<std::string>
      dropped;  // "temperature", "tools", "max_tokens", ...; "tool_choice": offered, not forced
  std::int64_t most_output = 0;  // the largest answer the model can give; 0: not known
};

// An error as providers write it.
struct WireError {
  std::string message, type, code, param;
};

// What has come of an answer so far.
struct Gathered {
  Reply reply;            // its arguments only at the end, once they are known to be JSON
  std::string arguments;  // of the tool call, in pieces
  int call = -1;          // which call the arguments belong to: the first one
  bool called = false;    // the tool was called
  bool ended = false;     // the model said why it stopped: the answer is whole
  bool finished = false;  // nothing more will come
  bool refused = false;
  bool out_of_context = false;
  std::string refusal;
  std::optional<WireError> error;
  std::string malformed;  // what did not follow the format
  int events = 0;
};

struct Wire {
  std::string_view format;  // for people
  std::vector<std::string> (*headers)(const Endpoint&);
  // A request, as JSON.
  std::string (*body)(const Endpoint&, const Request&, const Quirks&, std::int64_t most_output);
  // One event; throws std::exception where it does not follow the format.
  void (*take)(const std::string& event, const std::string& data, Gathered&);
  // An answer that is not streamed though it was asked for; likewise.
  void (*take_whole)(const std::string& body, Gathered&);
};

extern const Wire openai_wire, anthropic_wire;

// Of an answer that is an error, in any of the known shapes; empty for anything else.
WireError error_in(const std::string& body);

}  // namespace hone::llm
