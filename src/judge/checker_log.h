#pragma once
// What a checker of compute-sanitizer's or a debugger printed, as sentences for the kernel's
// author: the candidate's own lines in place of instruction addresses, the names of buffers in
// place of their addresses. Pure.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::judge {

// A candidate's source, to quote lines of.
struct SourceView {
  std::string_view name, text;
};
// "line 12 (`y[i] = x[i];`)"; the quoted line is left out where there is none.
std::string line_text(const SourceView& source, int line);

struct CheckerReport {
  std::string errors;  // "": it found nothing
  bool complete =
      false;  // it reached its summary: what it did not find is not there, as far as it can see
  std::string broken;  // why it did not: its own words
};
// `source` empty: addresses stay as they are.
CheckerReport read_checker_log(std::string_view log, const SourceView& source = {});

// What a checker's log says is wrong, in its own words; "" if nothing.
std::string sanitizer_errors(const std::string& log);

// Where warps stood when the device's state was dumped, from cuda-gdb's `info cuda threads`.
struct StoppedAt {
  int line = 0;  // of the candidate's source; 0: not known
  std::int64_t threads = 0;
  std::string first;  // "thread (0,0,0) of block (3,0,0)"
};
struct DumpReport {
  std::string exception;  // "Warp Misaligned Address"
  int line = 0;           // where it was raised; 0: not known
  int inlined_from = 0;   // the line that this was inlined into; 0: it was not
  std::string place;      // "thread (3,0,0) of block (1,0,0)"
  std::string kernel;
  std::vector<StoppedAt> stopped;  // most threads first
};
DumpReport read_dump(std::string_view text, std::string_view source_name);
std::string to_text(const DumpReport& dump, const SourceView& source);

}  // namespace hone::judge
