#include "agents/nearest.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/text.h"

namespace hone::agents {
namespace {

// Bounds on the work: more lines than these do not make the place clearer.
constexpr std::size_t most_compared = 24, most_basis_lines = 20000, longest_line = 160;

// How alike two lines are, from 0 to 1, by what they begin and end with.
double likeness(std::string_view a, std::string_view b) {
  a = trimmed(a).substr(0, longest_line), b = trimmed(b).substr(0, longest_line);
  if (a == b) return a.empty() ? 0.1 : 1;  // blank lines say little
  const auto shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return 0.9 * static_cast<double>(front + back) / static_cast<double>(longer);
}

double score(const std::vector<std::string_view>& search,
             const std::vector<std::string_view>& basis, std::size_t at) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(search.size(), most_compared) && at + i < basis.size(); ++i)
    sum += likeness(search[i], basis[at + i]);
  return sum;
}

}  // namespace

std::string nearest_place(const std::vector<std::string_view>& search,
                          const std::vector<std::string_view>& basis) {
  std::size_t best = 0;
  double best_score = 0;
  for (std::size_t at = 0; at < std::min(basis.size(), most_basis_lines); ++at)
    if (const double here = score(search, basis, at); here > best_score)
      best = at, best_score = here;
  const double part = best_score / static_cast<double>(std::min(search.size(), most_compared));
  constexpr double unlike = 0.25;
  if (part < unlike)
    return "Nothing in the basis is like it: quote lines of the basis exactly as they stand there.";
  std::string place;
  bool only_blanks = best + search.size() <= basis.size();
  for (std::size_t i = 0; i < search.size() && best + i < basis.size(); ++i) {
    only_blanks = only_blanks && trimmed(search[i]) == trimmed(basis[best + i]);
    if (i < most_compared)
      place += fmt::format("{:5}  {}\n", best + i + 1, basis[best + i].substr(0, longest_line));
  }
  return fmt::format("The nearest place{} is\n{}",
                     only_blanks ? ", which differs only in its indentation," : "", place);
}

}  // namespace hone::agents
