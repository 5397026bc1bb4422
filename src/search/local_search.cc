#include "search/local_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "search/exhaustive.h"

namespace hone::search {
namespace {

constexpr double failed = std::numeric_limits<double>::infinity();
constexpr std::size_t fewest_starts = 4, starts_per_tunable = 2;
constexpr std::size_t most_steps_away = 3;  // of a restart near the best point
constexpr int most_tries = 200;             // for a place that was not asked yet

}  // namespace

LocalSearch::LocalSearch(const Space& space, std::uint64_t seed)
    : space_(space), random_(seed), listed_(space.all(largest_listed_grid)) {
  if (listed_) {
    random_.shuffle(*listed_);
    total_ = listed_->size();
  }
  const auto first = space_.default_place();
  const std::size_t dimensions = first ? first->size() : fewest_starts;
  for (std::size_t i = 0; i < std::max(fewest_starts, starts_per_tunable * dimensions); ++i)
    if (auto place = space_.draw(random_)) starts_.push_back(*std::move(place));
  if (first) starts_.push_back(*first);
  done_ = starts_.empty() && (!listed_ || listed_->empty());
}

std::string LocalSearch::describe() const {
  return total_ ? fmt::format("a local search among {} points", *total_)
                : fmt::format("a local search in a grid of {:.3g} points", space_.size());
}

std::optional<core::Point> LocalSearch::hand_out(const GridPoint& place) {
  if (!asked_.insert(place).second) return std::nullopt;
  auto point = space_.point(place);
  outstanding_[point] = place;
  return point;
}

std::optional<core::Point> LocalSearch::ask() {
  while (!done_) {
    auto& queue = starts_.empty() ? frontier_ : starts_;
    while (!queue.empty()) {
      const GridPoint place = std::move(queue.back());
      queue.pop_back();
      if (auto point = hand_out(place)) return point;
    }
    if (starts_.empty() && frontier_.empty() && !advance()) return std::nullopt;
  }
  return std::nullopt;
}

// All that could be asked was asked: the climb begins, looks further, or starts again. Which of
// them depends on the answers.
bool LocalSearch::advance() {
  if (!outstanding_.empty()) return false;
  if (!current_ && best_start_) {
    current_ = best_start_;
    climb_from(current_->second);
  } else if (current_ && !further_) {
    frontier_ = space_.further_neighbours(current_->second);
    random_.shuffle(frontier_);
    further_ = true;
  } else {
    return restart();
  }
  return true;
}

void LocalSearch::climb_from(const GridPoint& place) {
  frontier_ = space_.neighbours(place);
  random_.shuffle(frontier_);
  further_ = false;
}

bool LocalSearch::restart() {
  current_.reset();
  best_start_.reset();
  further_ = false;
  const bool near = best_ && ++restarts_ % 2 == 1;
  auto place = near ? unasked_near(best_->second) : unasked_anywhere();
  if (!place) place = unasked_anywhere();
  if (!place) return done_ = true, false;
  starts_.push_back(*std::move(place));
  return true;
}

std::optional<GridPoint> LocalSearch::unasked_anywhere() {
  if (listed_) {
    while (!listed_->empty() && asked_.contains(listed_->back())) listed_->pop_back();
    return listed_->empty() ? std::nullopt : std::optional(listed_->back());
  }
  for (int i = 0; i < most_tries; ++i) {
    auto place = space_.draw(random_);
    if (!place) return std::nullopt;
    if (!asked_.contains(*place)) return place;
  }
  return std::nullopt;
}

std::optional<GridPoint> LocalSearch::unasked_near(GridPoint place) {
  for (int i = 0; i < most_tries; ++i) {
    GridPoint moved = place;
    for (std::size_t steps = 1 + random_.below(most_steps_away); steps > 0; --steps) {
      const auto around = space_.further_neighbours(moved);
      if (!around.empty()) moved = around[random_.below(around.size())];
    }
    if (!asked_.contains(moved)) return moved;
  }
  return std::nullopt;
}

void LocalSearch::tell(const PointResult& told) {
  const auto found = outstanding_.find(told.point);
  if (found == outstanding_.end()) return;
  const std::pair<double, GridPoint> here{told.seconds.value_or(failed), found->second};
  outstanding_.erase(found);
  if (here.first == failed) return;
  const auto better_than = [&](const auto& other) { return !other || here.first < other->first; };
  if (told.outcome == core::Outcome::accepted && better_than(best_)) best_ = here;
  if (!current_) {
    if (better_than(best_start_)) best_start_ = here;
  } else if (better_than(current_)) {
    current_ = here;
    climb_from(here.second);
  }
}

std::string_view name_of(PointSearchKind kind) {
  return kind == PointSearchKind::exhaustive ? "exhaustive" : "local";
}

PointSearchKind choose_point_search(const Space& space, std::size_t most, bool hurried) {
  const std::size_t few = most > 0 ? most : hurried ? exhaustive_in_a_hurry : exhaustive_up_to;
  const auto places = space.all(largest_listed_grid);
  return places && places->size() <= few ? PointSearchKind::exhaustive : PointSearchKind::local;
}

std::unique_ptr<PointSearch> make_point_search(PointSearchKind kind, const Space& space,
                                               std::uint64_t seed) {
  if (kind == PointSearchKind::local) return std::make_unique<LocalSearch>(space, seed);
  return std::make_unique<Exhaustive>(
      space, space.all(largest_listed_grid).value_or(std::vector<GridPoint>{}), seed);
}

}  // namespace hone::search
