#include "search/space.h"

#include <algorithm>

namespace hone::search {

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// The bias of a remainder is 1 in 2^64 / count: it has no visible effect.
std::size_t Random::below(std::size_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(next() % count);
}

Space::Space(const core::Plan& plan, const base::Bindings& device) : plan_(plan), device_(device) {}

double Space::size() const {
  double product = 1;
  for (const auto& tunable : plan_.tunables) product *= static_cast<double>(tunable.values.size());
  return product;
}

std::optional<GridPoint> Space::default_place() const {
  GridPoint place;
  for (const auto& tunable : plan_.tunables) {
    const auto found = std::find(tunable.values.begin(), tunable.values.end(), tunable.chosen);
    if (found == tunable.values.end()) return std::nullopt;
    place.push_back(static_cast<std::size_t>(found - tunable.values.begin()));
  }
  return admits(place) ? std::optional(place) : std::nullopt;
}

core::Point Space::point(const GridPoint& place) const {
  core::Point point;
  for (std::size_t i = 0; i < place.size(); ++i)
    point[plan_.tunables[i].name] = plan_.tunables[i].values[place[i]];
  return point;
}

bool Space::admits(const GridPoint& place) const {
  const auto admitted = core::admits(plan_, point(place), device_);
  return admitted && *admitted;
}

std::optional<std::vector<GridPoint>> Space::all(std::size_t limit) const {
  if (size() > static_cast<double>(limit)) return std::nullopt;
  std::vector<GridPoint> found;
  for (const auto& tunable : plan_.tunables)
    if (tunable.values.empty()) return found;
  GridPoint place(plan_.tunables.size(), 0);
  for (bool more = true; more;) {
    if (admits(place)) found.push_back(place);
    more = false;
    for (std::size_t i = 0; i < place.size() && !more;
         ++i) {  // counts up, the first tunable fastest
      more = ++place[i] < plan_.tunables[i].values.size();
      if (!more) place[i] = 0;
    }
  }
  return found;
}

std::optional<GridPoint> Space::draw(Random& random) const {
  constexpr int most_draws =
      20000;  // a `where` that admits fewer than one point in thousands is not searched by chance
  for (int i = 0; i < most_draws; ++i) {
    GridPoint place;
    for (const auto& tunable : plan_.tunables) place.push_back(random.below(tunable.values.size()));
    if (admits(place)) return place;
  }
  return std::nullopt;
}

std::vector<GridPoint> Space::neighbours(const GridPoint& place) const {
  std::vector<GridPoint> found;
  for (std::size_t i = 0; i < place.size(); ++i)
    for (const std::size_t value :
         {place[i] - 1, place[i] + 1}) {  // below zero is a very large number
      if (value >= plan_.tunables[i].values.size()) continue;
      GridPoint moved = place;
      moved[i] = value;
      if (admits(moved)) found.push_back(std::move(moved));
    }
  return found;
}

std::vector<GridPoint> Space::further_neighbours(const GridPoint& place) const {
  std::vector<GridPoint> found;
  const auto keep = [&](GridPoint moved) {
    if (admits(moved)) found.push_back(std::move(moved));
  };
  const auto count = [&](std::size_t i) { return plan_.tunables[i].values.size(); };
  for (std::size_t i = 0; i < place.size(); ++i) {
    for (std::size_t value = 0; value < count(i); ++value) {
      GridPoint moved = place;
      moved[i] = value;
      if (value + 1 < place[i] || value > place[i] + 1) keep(std::move(moved));
    }
    for (std::size_t j = i + 1; j < place.size(); ++j)
      for (const std::size_t a : {place[i] - 1, place[i] + 1})
        for (const std::size_t b : {place[j] - 1, place[j] + 1}) {
          if (a >= count(i) || b >= count(j)) continue;
          GridPoint moved = place;
          moved[i] = a;
          moved[j] = b;
          keep(std::move(moved));
        }
  }
  return found;
}

}  // namespace hone::search
