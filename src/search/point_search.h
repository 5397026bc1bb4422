#pragma once
// Decides what to try next: ask for a point, tell what came of it. Many points may be asked before
// the first is told. A strategy is a pure function of its seed and of what it was told, in order:
// asking again and telling the same answers leads to the same place, which is how a run is resumed.
// A point is asked at most once. Used from one thread.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/evaluation.h"
#include "search/space.h"

namespace hone::search {

// What came of a point. Failed points are data too: they have an outcome and no time.
struct PointResult {
  core::Point point;
  core::Outcome outcome = core::Outcome::rejected;
  std::optional<double> seconds;  // geometric mean over the timed cases; also of a point that was
                                  // stopped early, where it is known
};

class PointSearch {
 public:
  virtual ~PointSearch() = default;
  virtual std::optional<core::Point>
  ask() = 0;  // nothing: done, or it waits for answers that are outstanding
  virtual void tell(const PointResult& told) = 0;
  virtual bool done() const = 0;  // nothing more will be asked, whatever is told
  virtual std::optional<std::size_t> total()
      const = 0;  // how many points it means to ask; nothing: as many as it is given
  virtual std::string describe() const = 0;  // in words, for people
};

// Spaces up to this size are visited whole: beyond it, a local search finds as good a point in
// fewer evaluations. Where the time is limited, a whole visit may be cut short, and a local search
// has then seen the better part.
constexpr std::size_t exhaustive_up_to = 128, exhaustive_in_a_hurry = 24;
constexpr std::size_t largest_listed_grid =
    100000;  // points, `where` or not, that are looked at one by one

enum class PointSearchKind { exhaustive, local };
std::string_view name_of(PointSearchKind kind);
// `most`: evaluations that may be spent, 0: any number. `hurried`: there is a limit on time.
PointSearchKind choose_point_search(const Space& space, std::size_t most, bool hurried);
std::unique_ptr<PointSearch> make_point_search(PointSearchKind kind, const Space& space,
                                               std::uint64_t seed);

}  // namespace hone::search
