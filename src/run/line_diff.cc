#include "run/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace hone::run {
namespace {

using Lines = std::vector<std::string_view>;  // each with its line end, if it has one

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// How a text becomes the other: kept, removed or added lines in order.
enum class Step : char { keep = ' ', remove = '-', add = '+' };

// Myers's greedy algorithm: for each number of changes the farthest that can be reached on each diagonal. Nothing where
// the texts have less in common than this is worth: the trace grows with the square of the changes.
std::optional<std::vector<Step>> shortest(const Lines& a, const Lines& b) {
  constexpr long most_changes = 2000;  // 16 MB of trace
  const long n = static_cast<long>(a.size()), m = static_cast<long>(b.size());
  const long most = std::min(n + m, most_changes);
  std::vector<int> reached(static_cast<std::size_t>(2 * most + 3), 0);
  // Diagonal 0 stands in the middle, in whatever part of it was kept.
  const auto at = [](std::vector<int>& v, long k) -> int& {
    return v[static_cast<std::size_t>(k + static_cast<long>(v.size() / 2))];
  };
  const auto goes_down = [&](std::vector<int>& v, long k, long d) {
    return k == -d || (k != d && at(v, k - 1) < at(v, k + 1));
  };
  std::vector<std::vector<int>> trace;
  for (long d = 0; d <= most; ++d) {
    trace.emplace_back(reached.begin() + (most - d), reached.end() - (most - d));
    for (long k = -d; k <= d; k += 2) {
      long x = goes_down(reached, k, d) ? at(reached, k + 1) : at(reached, k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) ++x;
      at(reached, k) = static_cast<int>(x);
      if (x < n || x - k < m) continue;
      std::vector<Step> steps;
      long to_x = n, to_y = m;
      for (long back = d; back >= 0; --back) {
        auto& v = trace[static_cast<std::size_t>(back)];
        const long diagonal = to_x - to_y;
        const bool down = goes_down(v, diagonal, back);
        const long from_k = down ? diagonal + 1 : diagonal - 1;
        const long from_x = back == 0 ? 0 : at(v, from_k), from_y = back == 0 ? 0 : from_x - from_k;
        const long met_x = back == 0 ? 0 : from_x + (down ? 0 : 1);
        for (; to_x > met_x; --to_x) steps.push_back(Step::keep);
        if (back > 0) steps.push_back(down ? Step::add : Step::remove);
        to_x = from_x;
        to_y = from_y;
      }
      std::reverse(steps.begin(), steps.end());
      return steps;
    }
  }
  return std::nullopt;
}

std::vector<Step> steps_between(Lines a, Lines b) {
  std::size_t same_front = 0, same_back = 0;
  while (same_front < std::min(a.size(), b.size()) && a[same_front] == b[same_front]) ++same_front;
  a.erase(a.begin(), a.begin() + static_cast<long>(same_front));
  b.erase(b.begin(), b.begin() + static_cast<long>(same_front));
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
    ++same_back;
  }
  std::vector<Step> steps(same_front, Step::keep);
  if (const auto middle = shortest(a, b)) {
    steps.insert(steps.end(), middle->begin(), middle->end());
  } else {  // too different to be worth telling apart
    steps.insert(steps.end(), a.size(), Step::remove);
    steps.insert(steps.end(), b.size(), Step::add);
  }
  steps.insert(steps.end(), same_back, Step::keep);
  return steps;
}

struct Place {
  std::size_t a = 0, b = 0;  // lines before it
};

std::string hunk(const Lines& a, const Lines& b, const std::vector<Step>& steps, std::size_t first, std::size_t last,
                 Place place) {
  std::string body;
  std::size_t count_a = 0, count_b = 0;
  Place now = place;
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view line = steps[i] == Step::add ? b[now.b] : a[now.a];
    body += static_cast<char>(steps[i]);
    body += line;
    if (!line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    if (steps[i] != Step::add) ++now.a, ++count_a;
    if (steps[i] != Step::remove) ++now.b, ++count_b;
  }
  const auto range = [](std::size_t before, std::size_t count) {
    const std::size_t start = count == 0 ? before : before + 1;
    return count == 1 ? fmt::format("{}", start) : fmt::format("{},{}", start, count);
  };
  return fmt::format("@@ -{} +{} @@\n{}", range(place.a, count_a), range(place.b, count_b), body);
}

}  // namespace

std::string unified_diff(std::string_view a, std::string_view b, const std::string& name_a, const std::string& name_b,
                         std::size_t context) {
  if (a == b) return "";
  const Lines lines_a = lines_of(a), lines_b = lines_of(b);
  const std::vector<Step> steps = steps_between(lines_a, lines_b);
  std::string text = fmt::format("--- {}\n+++ {}\n", name_a, name_b);
  std::size_t done = 0;
  Place place;
  const auto walk_to = [&](std::size_t to) {
    for (; done < to; ++done) {
      place.a += steps[done] != Step::add ? 1 : 0;
      place.b += steps[done] != Step::remove ? 1 : 0;
    }
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == Step::keep) continue;
    const std::size_t first = i > context + done ? i - context : done;
    std::size_t changed = i;  // the last change that belongs to this hunk
    for (std::size_t j = i; j < steps.size() && j <= changed + 2 * context + 1; ++j)
      if (steps[j] != Step::keep) changed = j;
    const std::size_t last = std::min(steps.size(), changed + context + 1);
    walk_to(first);
    text += hunk(lines_a, lines_b, steps, first, last, place);
    walk_to(last);
    i = last - 1;
  }
  return text;
}

}  // namespace hone::run
