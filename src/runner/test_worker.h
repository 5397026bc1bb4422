#pragma once
// For tests only: the program that plays the worker in runner tests, which is the test program
// itself (main_test.cc). It is a worker as a candidate could make one: it says whatever its script
// tells it to, in place of what it was asked. On the worker's only thread.
#include <map>
#include <string>
#include <vector>

#include "base/fields_fwd.h"

namespace hone::runner {

// What the worker does with one order.
struct ScriptedAnswer {
  std::vector<std::string> says = {R"({"ok":true})"};  // one packet each
  std::vector<std::string> files;                      // descriptors of the last of them
  std::string does;    // before it answers: "end", "crash", "print TEXT"; "" nothing
  bool stops = false;  // itself, when it has answered: it has then said all that it will say
};
// By the order's "op"; the answers of one op are given in turn, the last one again and again. An
// order that is not in it is answered with {"ok":true}.
using Script = std::map<std::string, std::vector<ScriptedAnswer>>;

void describe(base::Fields& fields, ScriptedAnswer& answer);
// The script as a text that a test hands over in an order: as a device's id, an argument, or a
// file.
std::string script_text(const Script& script);

int serve_tests(int socket);                         // main_test.cc
std::string probe_here(const std::string& request);  // sandbox_test.cc: what a sandbox allows

}  // namespace hone::runner
