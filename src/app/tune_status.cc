// How far a search is, in a line and in figures: see app/tune.h.
#include <fmt/format.h>

#include <algorithm>

#include "app/tune.h"
#include "judge/finding.h"
#include "text/evaluation_text.h"

namespace hone::app {
using namespace text;
namespace {

std::string latest_of(const core::Evaluation& latest) {
  if (latest.geomean) return format_seconds(*latest.geomean);
  return judge::was_stopped_early(latest) ? "stopped early"
                                          : std::string(core::name_of(latest.outcome));
}

// The points that the search will try; 0: not known.
std::size_t points_to_try(const run::TuneStatus& status) {
  const std::size_t all = status.total.value_or(0);
  return status.allowed > 0 && (all == 0 || status.allowed < all) ? status.allowed : all;
}

}  // namespace

std::string status_line(const run::TuneStatus& status) {
  std::string line = fmt::format("{}", status.done);
  if (status.total) line += fmt::format("/{}", *status.total);
  line += fmt::format(" points{}",
                      status.allowed > 0 && (!status.total || status.allowed < *status.total)
                          ? fmt::format(" ({} allowed)", status.allowed)
                          : "");
  if (status.failed > 0) line += fmt::format(", {} failed", status.failed);
  if (status.undecided > 0) line += fmt::format(", {} undecided", status.undecided);
  if (status.stopped_early > 0) line += fmt::format(", {} stopped early", status.stopped_early);
  if (status.best_seconds) {
    line += fmt::format("; best {}", format_seconds(*status.best_seconds));
    if (status.default_seconds && *status.best_seconds < *status.default_seconds)
      line += fmt::format(" ({} the default)",
                          format_ratio(*status.default_seconds / *status.best_seconds));
    line += " " + format_point(status.best);
  }
  return line + fmt::format("; latest {} {}", latest_of(status.latest),
                            format_point(status.latest.key.point));
}

std::optional<double> part_done(const run::TuneStatus& status) {
  const std::size_t all = points_to_try(status);
  if (all == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(status.done) / static_cast<double>(all));
}

std::optional<double> seconds_left(const run::TuneStatus& status, double seconds,
                                   double most_seconds) {
  constexpr std::size_t fewest_measured = 2;
  const std::size_t measured = status.done - std::min(status.done, status.known);
  const std::size_t all = points_to_try(status);
  if (measured < fewest_measured || all == 0 || status.done >= all) return std::nullopt;
  const double left =
      seconds / static_cast<double>(measured) * static_cast<double>(all - status.done);
  return most_seconds > 0 ? std::min(left, std::max(0.0, most_seconds - seconds)) : left;
}

}  // namespace hone::app
