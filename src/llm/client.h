#pragma once
// Talking to a language model: one question, one answer. A client is asked from many threads at
// once and keeps no state of a run; retries, budgets and records are made around it (llm/retry.h
// and the run's ledger). What a model answers is hostile input: nothing is believed before it is
// parsed and judged.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "base/result.h"

namespace hone::llm {

// A part of a prompt. Where a prompt is too long, the sections with the highest `drop` go first;
// those with 0 stay.
struct Section {
  std::string title, text;
  int drop = 0;
};
struct Prompt {
  std::string system;
  std::vector<Section> sections;
  std::string template_hash;  // of the template it was made from
};
std::string render(const Prompt& prompt);  // the user's message: each section under its title
std::string hash_of(const Prompt& prompt);
// Without its least useful section; nothing where only those are left that must stay.
std::optional<Prompt> shrunk(const Prompt& prompt);

// An answer that must have a shape: asked for as a call of this tool where the model takes one, as
// JSON in the text where not.
struct ToolDefinition {
  std::string name, description;
  std::string schema;  // JSON Schema of the arguments
};

struct Request {
  std::string role;  // "selector", "designer", "writer", ...
  std::string step;  // which question of the run it is: "g003/writer-2/try-1"; unique in a run
  int node = 0;      // of the run, that the answer is to write; 0: none
  Prompt prompt;
  std::optional<ToolDefinition> tool;
  std::int64_t max_output_tokens = 16000;
};

struct Usage {
  std::int64_t in = 0, out = 0,
               cached = 0;  // tokens; cached: of those in, read from the provider's cache
  std::int64_t written =
      0;  // of those in, written to the provider's cache, which some charge more for
};
void describe(base::Fields& fields, Usage& usage);  // in JSON: see base/fields.h

struct Reply {
  std::string text;
  std::string
      arguments;  // of the tool call, as JSON; "": there was none, and the text has to be parsed
  std::optional<Usage> usage;
  std::string model;  // as the provider names it
  std::string stop;   // why it ended, as the provider says: "end_turn", "length", ...
  double seconds = 0;
  std::string note =
      {};  // for the user: what of the request was left out because the server does not take it
};
// The answer's JSON object: the arguments of the tool call if there was one, else the last object
// in the text, fenced or not.
std::optional<std::string> json_in(const Reply& reply);

enum class FaultKind : std::uint8_t {
  rate_limited,  // 429
  server,        // 5xx
  unreachable,   // no connection can be made
  timed_out,
  cut_off,    // a stream that ended in the middle
  malformed,  // not what the wire format promises
  too_long,   // the prompt does not fit the model's context
  refused,    // the model declined
  empty,      // nothing was answered
  rejected,   // the request itself: a wrong key, an unknown model or option; trying again does not
              // help
  exhausted,  // a replay has no more answers, or a mailbox was closed
  cancelled,
  over_budget  // made by the run, never by a client
};
std::string_view name_of(FaultKind kind);
bool worth_retrying(FaultKind kind);  // the same request, later

struct Fault {
  FaultKind kind = FaultKind::server;
  std::string text;                   // a sentence for people, without any key in it
  std::optional<double> retry_after;  // seconds, where the provider says so
  std::optional<Usage> usage;  // what was paid for nothing; all zero: nothing; none: not known
};

using Cancel = std::atomic<bool>;  // true: stop as soon as possible

// An answer of a recording.
struct RecordedAnswer {
  std::string role, step, text;
  int node =
      0;  // that came of it, by the recorded run's number; 0: none, or an earlier hone recorded it
};

class LlmClient {
 public:
  virtual ~LlmClient() = default;
  virtual base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) = 0;
  virtual std::string name() const = 0;  // "anthropic:MODEL", as the user wrote it
  // What the price table is asked for, "HOST/MODEL"; "": costs nothing (exec, mailbox, replay).
  virtual std::string price_name() const = 0;
  // What the user set with ?max_output=N; it takes the place of a request's own limit
  // (ask_with_retries sees to it, before the call is booked).
  virtual std::optional<std::int64_t> max_output() const { return std::nullopt; }
  // Where answers are given again: all of them, in the order in which they were answered. Empty: a
  // model is really asked.
  virtual std::vector<RecordedAnswer> recorded() const { return {}; }
};

// From what a user writes:
//   openai:MODEL  openai:MODEL@BASE_URL  anthropic:MODEL  anthropic:MODEL@BASE_URL
//   exec:COMMAND  mailbox:DIR  replay:FILE  replay-strict:FILE  record:FILE,PROVIDER:MODEL
// followed, for the first two, by options: openai:MODEL?temperature=0.7&reasoning_effort=high.
// Throws Error (usage) that lists the forms, or says which key of the environment is missing.
std::shared_ptr<LlmClient> make_client(const std::string& spec);

}  // namespace hone::llm
