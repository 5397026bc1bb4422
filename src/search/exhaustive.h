#pragma once
// Every point once: the default first, then the others in an order that the seed shuffles, so that
// a run which is cut short has seen a fair sample.
#include "search/point_search.h"

namespace hone::search {

class Exhaustive : public PointSearch {
 public:
  Exhaustive(const Space& space, std::vector<GridPoint> places, std::uint64_t seed);
  std::optional<core::Point> ask() override;
  void tell(const PointResult&) override {}
  bool done() const override { return next_ == places_.size(); }
  std::optional<std::size_t> total() const override { return places_.size(); }
  std::string describe() const override;

 private:
  Space space_;
  std::vector<GridPoint> places_;
  std::size_t next_ = 0;
};

}  // namespace hone::search
