// `hone best`: see app/best.h.
#include "app/best.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {

int best(const Typed<app::BestRequest>& command) {
  const auto result = app::best(command);
  if (command.json) {
    put_json(result);
  } else if (result.written.empty()) {
    std::fwrite(result.candidate.source.data(), 1, result.candidate.source.size(), stdout);
    std::fprintf(stderr, "%s\n", result.provenance.c_str());
  } else {
    std::printf("%s: %s\n", text::printable(result.written).c_str(), result.provenance.c_str());
  }
  return 0;
}

}  // namespace hone::cli
