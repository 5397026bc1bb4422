#pragma once
// The points of a plan's [tune] space that its `where` admits on one device. Values keep the order
// they were written in, so that "next to" means something. Pure data and functions; any thread.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan.h"

namespace hone::search {

// A point as the index of each tunable's value: cheap to move and to compare.
using GridPoint = std::vector<std::size_t>;

// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();                  // splitmix64
  std::size_t below(std::size_t count);  // 0 where count is 0
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

class Space {
 public:
  Space(const core::Plan& plan, const base::Bindings& device);

  double size() const;  // of the whole grid, `where` or not; 1 without tunables
  std::optional<GridPoint> default_place() const;  // nothing where `where` does not admit it
  bool admits(const GridPoint& place) const;       // also false where a condition has no value
  core::Point point(const GridPoint& place) const;

  // Every admitted place, or nothing where the grid is larger than `limit`.
  std::optional<std::vector<GridPoint>> all(std::size_t limit) const;
  // An admitted place at random; nothing where many draws found none.
  std::optional<GridPoint> draw(Random& random) const;
  // Admitted places that differ in one tunable by one step.
  std::vector<GridPoint> neighbours(const GridPoint& place) const;
  // Admitted places that differ in one tunable by more, or in two by one step each.
  std::vector<GridPoint> further_neighbours(const GridPoint& place) const;

 private:
  core::Plan plan_;
  base::Bindings device_;
};

}  // namespace hone::search
