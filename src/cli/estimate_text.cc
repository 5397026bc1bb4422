#include "cli/estimate_text.h"

#include <fmt/format.h>

#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;

std::string estimate_text(const app::RunEstimate& estimate, const Screen& screen) {
  using Align = Column::Align;
  Table table({{"role"},
               {"model"},
               {"calls", Align::right},
               {"tokens in", Align::right},
               {"out", Align::right},
               {"dollars", Align::right},
               {"at most", Align::right}});
  const auto dollars = [](const std::optional<double>& usd) {
    return usd ? fmt::format("{:.2f}", *usd) : "unknown";
  };
  double calls = 0, tokens_in = 0, tokens_out = 0;
  std::optional<double> usd = 0, most = 0;
  for (const auto& role : estimate.roles) {
    table.add({role.role, printable(role.model), fmt::format("{:.0f}", role.calls),
               fmt::format("{:.0f}", role.tokens_in), fmt::format("{:.0f}", role.tokens_out),
               dollars(role.usd), dollars(role.usd_most)});
    calls += role.calls;
    tokens_in += role.calls * role.tokens_in;
    tokens_out += role.calls * role.tokens_out;
    usd = usd && role.usd ? std::optional(*usd + *role.usd) : std::nullopt;
    most = most && role.usd_most ? std::optional(*most + *role.usd_most) : std::nullopt;
  }
  table.add({"all", "", fmt::format("{:.0f}", calls), fmt::format("{:.0f}", tokens_in),
             fmt::format("{:.0f}", tokens_out), dollars(usd), dollars(most)});
  std::string out = table.text(screen);
  out += fmt::format(
      "{} Estimated for {}. Tokens of a role are of one call, those of all of the run. No model "
      "was asked, nothing was spent.\n",
      estimate.external ? "The evaluator's own time is not known, and no device here is needed."
                        : fmt::format("About {:.0f} s of the device.", estimate.device_seconds),
      estimate.assumptions);
  return out;
}

}  // namespace hone::cli
