#pragma once
// The standard streams as this process was given them: perhaps closed, perhaps on a full disk.

#include <string>

#include "base/json.h"

namespace hone::cli {

// A closed standard stream is a trap: the next file that is opened (the archive) would get its
// number, and what is printed would go into it.
void fill_closed_streams();

// On standard output: a text, or a result for programs.
void put(const std::string& text);
template <typename T>
void put_json(const T& result) {
  put(base::json_text(result));
}

// What was printed, handed over at last. The exit code, or that of an error where standard output
// could not be written.
int flush_output(int code);

}  // namespace hone::cli
