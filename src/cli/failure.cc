#include "cli/failure.h"

#include <cstdio>

#include "cli/streams.h"
#include "text/evaluation_text.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

int tell(const base::Error& error) {
  std::fflush(stdout);  // what was found comes first, also where both streams go to one file
  std::fprintf(stderr, "hone: %s\n", printable_lines(error.what()).c_str());
  return static_cast<int>(error.code());
}

int report(const base::Error& error, bool as_json) {
  if (as_json) put_json([&](base::Fields& f) { f("error", error); });
  return tell(error);
}

}  // namespace hone::cli
