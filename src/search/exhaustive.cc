#include "search/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::search {

Exhaustive::Exhaustive(const Space& space, std::vector<GridPoint> places, std::uint64_t seed)
    : space_(space), places_(std::move(places)) {
  Random random(seed);
  random.shuffle(places_);
  const auto first = space_.default_place();
  if (!first) return;
  const auto found = std::find(places_.begin(), places_.end(), *first);
  if (found != places_.end()) std::rotate(places_.begin(), found, found + 1);
}

std::optional<core::Point> Exhaustive::ask() {
  if (done()) return std::nullopt;
  return space_.point(places_[next_++]);
}

std::string Exhaustive::describe() const { return fmt::format("all {} points", places_.size()); }

}  // namespace hone::search
