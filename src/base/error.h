#pragma once
// What stops a command: a broken environment or unusable input. A candidate's failure is never an
// Error; it is an outcome. An Error is caught where the failed work ends and other work goes on:
//  - at the outermost function of a process or thread, which reports it (cli/main.cc, the worker's
//    loop);
//  - around one of several independent pieces of work (a device, a task, a job of a bundle, a part
//    of a profile, a check of an admission), whose result then says what failed;
//  - around work that can be done without: a cache that cannot be read or written, a measurement
//    that can be missing;
//  - where a better text or code can be given, which is thrown instead (store/).
// A catch that expects one exit code throws the others on. Elsewhere an Error is not caught: it
// ends the command.
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace hone::base {

// The exit codes of `hone`, as docs/formats.md lists them for users.
enum class ExitCode : int {
  ok = 0,
  not_accepted = 1,  // the command worked; the candidate or task did not pass
  usage = 2,
  bad_input = 3,    // a task, plan, candidate or option value that cannot be used
  environment = 4,  // no device, no compiler, no space, no rights
  archive = 5,      // the archive cannot be opened or written
  slower = 10,      // `hone compare`
  same = 11,
  cannot_tell = 12,
  undecided = 13,   // the judge could not tell; the evidence says why
  away = 20,        // a run whose work is all elsewhere: bring the results, then `hone resume`
  unfinished = 21,  // `hone bundle run` stopped at its time limit: the same command goes on
  internal = 70,    // a mistake of hone's own
  interrupted = 130,
};

std::string_view name_of(ExitCode code);  // "bad_input"

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

template <typename... Args>
[[noreturn]] void fail(ExitCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

// The text of errno after a failed system call, for messages.
std::string errno_text();

}  // namespace hone::base
