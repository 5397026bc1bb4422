#include <fmt/format.h>

#include <algorithm>

#include "agents/prompts.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

using Lines = std::vector<std::string_view>;

constexpr int context = 3;
// With more differing lines than this a diff is not readable as such, and the search for the
// shortest costs too much: then everything between the common ends counts as replaced.
constexpr int most_differences = 1500;

enum class Kind : char { same = ' ', removed = '-', added = '+' };
struct Step {
  Kind kind;
  std::size_t before, after;  // the line's index, where it has one
};

// Myers' greedy algorithm over the lines between the common ends; the furthest points of each round
// are kept to walk back. Empty: too different.
std::vector<std::vector<int>> rounds_of(const Lines& a, const Lines& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::vector<std::vector<int>> rounds;
  std::vector<int> furthest{0, 0, 0};  // by diagonal -d-1 … d+1
  for (int d = 0; d <= std::min(n + m, most_differences); ++d) {
    std::vector<int> next(2 * static_cast<std::size_t>(d) + 3, 0);
    const auto at = [&](int k) -> int {
      return furthest[static_cast<std::size_t>(k + d)];
    };  // of the round before
    for (int k = -d; k <= d; k += 2) {
      int x = 0;
      if (d > 0) x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      int y = x - k;
      while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)])
        ++x, ++y;
      next[static_cast<std::size_t>(k + d + 1)] = x;
      if (x >= n && y >= m) {
        rounds.push_back(std::move(next));
        return rounds;
      }
    }
    rounds.push_back(next);
    furthest = std::move(next);
  }
  return {};
}

std::vector<Step> middle_steps(const Lines& a, const Lines& b) {
  std::vector<Step> steps;
  const auto rounds = rounds_of(a, b);
  if (rounds.empty()) {
    for (std::size_t i = 0; i < a.size(); ++i) steps.push_back({Kind::removed, i, 0});
    for (std::size_t j = 0; j < b.size(); ++j) steps.push_back({Kind::added, a.size(), j});
    return steps;
  }
  int x = static_cast<int>(a.size()), y = static_cast<int>(b.size());
  const auto put = [&](Kind kind) {
    steps.push_back({kind, static_cast<std::size_t>(x), static_cast<std::size_t>(y)});
  };
  for (int d = static_cast<int>(rounds.size()) - 1; d > 0; --d) {
    const auto& before = rounds[static_cast<std::size_t>(d) - 1];
    const auto at = [&](int k) -> int { return before[static_cast<std::size_t>(k + d)]; };
    const int k = x - y;
    const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
    const int from_x = down ? at(k + 1) : at(k - 1), from_y = from_x - (down ? k + 1 : k - 1);
    while (x > from_x && y > from_y) --x, --y, put(Kind::same);
    if (down)
      --y, put(Kind::added);
    else
      --x, put(Kind::removed);
  }
  while (x > 0 && y > 0) --x, --y, put(Kind::same);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<Step> steps_between(const Lines& a, const Lines& b) {
  std::size_t front = 0, back = 0;
  while (front < std::min(a.size(), b.size()) && a[front] == b[front]) ++front;
  while (back < std::min(a.size(), b.size()) - front &&
         a[a.size() - 1 - back] == b[b.size() - 1 - back])
    ++back;
  const auto part = [&](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(front),
                 lines.end() - static_cast<std::ptrdiff_t>(back));
  };
  std::vector<Step> steps;
  for (std::size_t i = 0; i < front; ++i) steps.push_back({Kind::same, i, i});
  for (auto step : middle_steps(part(a), part(b)))
    steps.push_back({step.kind, step.before + front, step.after + front});
  for (std::size_t i = 0; i < back; ++i)
    steps.push_back({Kind::same, a.size() - back + i, b.size() - back + i});
  return steps;
}

std::string range_text(std::size_t first, std::size_t count) {
  if (count == 1) return fmt::format("{}", first + 1);
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

std::string hunk(const std::vector<Step>& steps, std::size_t from, std::size_t to, const Lines& a,
                 const Lines& b) {
  std::size_t removed = 0, added = 0;
  std::string body;
  for (auto i = from; i < to; ++i) {
    const auto& step = steps[i];
    removed += step.kind != Kind::added;
    added += step.kind != Kind::removed;
    body += fmt::format("{}{}\n", static_cast<char>(step.kind),
                        step.kind == Kind::added ? b[step.after] : a[step.before]);
  }
  std::size_t first_before = 0, first_after = 0;  // lines in front of the hunk
  for (std::size_t i = 0; i < from; ++i) {
    first_before += steps[i].kind != Kind::added;
    first_after += steps[i].kind != Kind::removed;
  }
  return fmt::format("@@ -{} +{} @@\n{}", range_text(first_before, removed),
                     range_text(first_after, added), body);
}

}  // namespace

std::string diff(const std::string& before, const std::string& after, const std::string& from,
                 const std::string& to) {
  const auto a = lines_of(before), b = lines_of(after);
  const auto steps = steps_between(a, b);
  std::string hunks;
  for (std::size_t i = 0; i < steps.size();) {
    if (steps[i].kind == Kind::same) {
      ++i;
      continue;
    }
    // The hunk goes on while the next change is near enough to share context.
    std::size_t last = i;
    for (std::size_t j = i; j < steps.size() && j <= last + 2 * context; ++j)
      if (steps[j].kind != Kind::same) last = j;
    const auto begin = i - std::min<std::size_t>(i, context),
               end = std::min(last + 1 + context, steps.size());
    hunks += hunk(steps, begin, end, a, b);
    i = end;
  }
  return hunks.empty() ? "" : fmt::format("--- {}\n+++ {}\n{}", from, to, hunks);
}

}  // namespace hone::agents
