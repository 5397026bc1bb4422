#pragma once
// A tool's call in a process of its own (`hone call TOOL`), so that a call that is cancelled ends
// at once, whatever it does, and a mistake in one ends nothing else. The process gets its request
// as JSON on standard input and prints lines of JSON: what it does, and at last an answer or an
// error. It ends with the process that started it, however that ends. One thread for each call.
#include <functional>
#include <optional>
#include <string>

#include "app/sink.h"
#include "base/error.h"
#include "mcp/tool.h"

namespace hone::mcp {

struct ApartRequest {
  Place place;
  std::string arguments;
  int evals = 0;  // that it may spend
};
void describe(base::Fields& fields, ApartRequest& request);

// ---- in the process of the call
// Reads the request from the text, and gives each line to `print`. Throws nothing.
void serve_call(const std::string& tool, const std::string& request,
                const std::atomic<bool>& cancelled,
                const std::function<void(const std::string&)>& print);

// ---- in the server
// Whether a call is to end: at the next good place, or as the server itself ends.
enum class End { no, soon, now };

struct ApartWatcher {
  std::function<void(const app::Step&)> step;
  std::function<void(const std::string&)> say;
  std::function<void(const std::string& run)> begun;
  // Asked often, with the seconds since it was asked last.
  std::function<End(double seconds)> to_end;
};

// Throws Error: what the call itself threw, or why its process ended without a word.
Answer call_apart(const Tool& tool, const ApartRequest& request, const ApartWatcher& watcher);

}  // namespace hone::mcp
