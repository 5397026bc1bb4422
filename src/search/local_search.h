#pragma once
// For spaces too large to visit: the default and a few random points, then from the best of them
// step by step to better neighbours; where no neighbour is better, a restart, by turns near the
// best point so far and anywhere. A result that is better than where the climb stands moves it
// there, in whatever order results come, so many points may be in flight.
#include <map>
#include <set>

#include "search/point_search.h"

namespace hone::search {

class LocalSearch : public PointSearch {
 public:
  LocalSearch(const Space& space, std::uint64_t seed);
  std::optional<core::Point> ask() override;
  void tell(const PointResult& told) override;
  bool done() const override { return done_ && outstanding_.empty(); }
  std::optional<std::size_t> total() const override { return total_; }
  std::string describe() const override;

 private:
  std::optional<core::Point> hand_out(const GridPoint& place);  // nothing if it was asked before
  bool advance();  // makes more to ask; false: it has to wait, or is done
  void climb_from(const GridPoint& place);
  bool restart();
  std::optional<GridPoint> unasked_anywhere();
  std::optional<GridPoint> unasked_near(GridPoint place);

  Space space_;
  Random random_;
  std::optional<std::vector<GridPoint>>
      listed_;  // all admitted places in shuffled order, where they can be listed; those
                // at the back go once they are asked
  std::optional<std::size_t> total_;
  std::set<GridPoint> asked_;
  std::map<core::Point, GridPoint> outstanding_;
  std::vector<GridPoint> starts_, frontier_;  // to be asked, from the back
  std::optional<std::pair<double, GridPoint>> best_, current_, best_start_;
  bool further_ = false;  // the frontier holds the further neighbours
  bool done_ = false;
  int restarts_ = 0;
};

}  // namespace hone::search
