// `hone show`: see app/show.h.
#include "app/show.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/record_text.h"

namespace hone::cli {

int show(const Typed<app::ShowRequest>& command) {
  const auto shown = app::show(command);
  const auto text_of = [](const auto& record) {
    return text::record_text(record, text::screen_of(stdout));
  };
  put(command.json ? base::json_text(shown) : std::visit(text_of, shown.shown));
  return 0;
}

}  // namespace hone::cli
