#pragma once
// A tool as agents call it: a command of app/ with its arguments and its result as JSON, their
// schemas made of the same descriptions, and a text for people and models. Tools are plain values
// in one table (tools()), made at start and then only read; each call has a Call of its own.
#include <functional>
#include <string>
#include <vector>

#include "app/sink.h"
#include "base/json.h"
#include "mcp/place.h"

namespace hone::mcp {

struct Answer {
  std::string text, json;
  int evals = 0;   // candidates or points that were judged
  double usd = 0;  // dollars that were spent on models
};
void describe(base::Fields& fields, Answer& answer);  // between processes of hone

// What one call works with.
struct Call {
  const Place& place;
  app::Sink& sink;
  int evals = 0;   // that it may spend; afterwards, that it spent
  double usd = 0;  // afterwards, that it spent
  // Of a run that goes on by itself: told its id once, as soon as there is one.
  std::function<void(const std::string& run)> begun;
  // What only the server knows. Asks its run to end at the next good place; false: it has none of
  // that id at work.
  std::function<bool(const std::string& run)> stop_run;
  std::function<struct ServerStatus()> status;
};

struct ServerStatus {
  std::string folder, device;  // device: "": the best one here
  int evals = 0, max_evals = 0;
  double minutes = 0, max_minutes = 0;
  double usd = 0, max_usd = 0;    // 0: no limit
  std::vector<std::string> runs;  // of this server, at work
  int calls = 0;                  // at work or waiting
};
void describe(base::Fields& fields, const ServerStatus& status);

struct Tool {
  std::string name, title, about;
  // here: in the server's process, in a moment. apart: in a process of its own, which can be ended
  // at any time. background: apart, and the call is answered when the work has begun.
  enum class Runs { here, apart, background } runs = Runs::here;
  bool reads_only = false;  // writes no file, and judges nothing
  bool finishes = false;    // interrupted, it ends at the next good place, and can go on later
  std::string arguments, result;                                  // JSON schemas
  std::function<int(const std::string& arguments)> evals_wanted;  // nothing: it judges nothing
  // Both throw Error where the arguments are not as the schema says.
  std::function<Answer(const std::string& arguments, Call& call)> run;
};

const std::vector<Tool>& tools();
const Tool* find_tool(const std::string& name);  // nullptr: there is none

// ---- how the table is made
std::vector<Tool> task_tools();     // tools_tasks.cc
std::vector<Tool> judging_tools();  // tools_judging.cc
std::vector<Tool> archive_tools();  // tools_archive.cc
std::vector<Tool> run_tools();      // tools_runs.cc

// A schema that refuses what it does not name.
std::string closed_schema(const std::string& schema);
// Of a result of one of several kinds.
std::string any_schema(const std::vector<std::string>& schemas);
// Throws Error (usage) that names what is wrong, and what there is.
void read_arguments(const std::string& json, const std::string& schema,
                    const base::Description& arguments);
// Throws where a number is out of its range.
void require_range(const char* argument, double value, double least, double most);

// The whole of a tool but its name. `Arguments` describes itself; `run` gives what describes
// itself; `text` tells it (nothing: the JSON is the text).
template <typename Arguments, typename Result>
Tool make_tool(Tool tool, Result (*run)(Arguments&, Call&),
               std::string (*text)(const Arguments&, const Result&) = nullptr) {
  tool.arguments = closed_schema(base::json_schema<Arguments>());
  if (tool.result.empty()) tool.result = base::json_schema<Result>();
  tool.run = [run, text, schema = tool.arguments](const std::string& json, Call& call) {
    Arguments arguments{};
    read_arguments(json, schema, base::description_of(arguments));
    const Result result = run(arguments, call);
    return Answer{text ? text(arguments, result) : base::json_text(result), base::json_line(result),
                  call.evals, call.usd};
  };
  return tool;
}

// For tools that judge: how many candidates or points.
template <typename Arguments>
Tool judging(Tool tool, int (*wanted)(const Arguments&)) {
  tool.evals_wanted = [wanted, schema = tool.arguments](const std::string& json) {
    Arguments arguments{};
    read_arguments(json, schema, base::description_of(arguments));
    return wanted(arguments);
  };
  return tool;
}

}  // namespace hone::mcp
