#include "agents/edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/nearest.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

enum class Marker { none, search, divide, replace };

// Seven signs are asked for; models that lose count are understood.
Marker marker_in(std::string_view line) {
  constexpr std::size_t fewest = 5, most = 9;
  line = trimmed(line);
  if (line.empty()) return Marker::none;
  const char sign = line.front();
  const auto count = std::min(line.find_first_not_of(sign), line.size());
  if (count < fewest || count > most) return Marker::none;
  const auto word = trimmed(line.substr(count));
  if (sign == '<' && word == "SEARCH") return Marker::search;
  if (sign == '=' && word.empty()) return Marker::divide;
  if (sign == '>' && word == "REPLACE") return Marker::replace;
  return Marker::none;
}

std::string_view without_end_blanks(std::string_view line) {
  const auto last = line.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

struct Match {
  std::size_t edit = 0, first = 0, count = 0;  // lines of the basis
};

std::vector<std::size_t> places_of(const std::vector<std::string_view>& search,
                                   const std::vector<std::string_view>& basis) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at + search.size() <= basis.size(); ++at) {
    const bool equal =
        std::equal(search.begin(), search.end(), basis.begin() + static_cast<std::ptrdiff_t>(at),
                   [](auto a, auto b) { return without_end_blanks(a) == without_end_blanks(b); });
    if (equal) places.push_back(at);
  }
  return places;
}

std::string several(std::size_t edit, const std::vector<std::size_t>& places) {
  constexpr std::size_t most_named = 8;
  std::string lines;
  for (std::size_t i = 0; i < std::min(places.size(), most_named); ++i)
    lines += fmt::format("{}{}", i == 0 ? "" : ", ", places[i] + 1);
  return fmt::format(
      "Edit {}: its SEARCH matches {} places of the basis (from lines {}{}). Quote more of the "
      "lines around the one you mean.\n",
      edit, places.size(), lines, places.size() > most_named ? ", …" : "");
}

// Where the edit goes, or what is wrong with it.
base::Result<Match> placed(const std::vector<Edit>& edits, std::size_t which,
                           const std::vector<std::string_view>& basis) {
  const auto& search = edits[which].search;
  const bool blank =
      std::all_of(search.begin(), search.end(), [](auto line) { return trimmed(line).empty(); });
  if (blank)
    return base::Failure{
        fmt::format("Edit {}: its SEARCH is empty. To insert, quote a line that stands there "
                    "already and repeat it in the replacement.\n",
                    which + 1)};
  const auto places = places_of(search, basis);
  if (places.size() == 1) return Match{which, places[0], search.size()};
  if (places.size() > 1) return base::Failure{several(which + 1, places)};
  return base::Failure{fmt::format("Edit {}: its SEARCH matches no place of the basis. {}\n",
                                   which + 1, nearest_place(search, basis))};
}

}  // namespace

base::Result<Edits> edits_in(std::string_view answer) {
  Edits found;
  Marker inside = Marker::none;  // the last marker of an edit that is not complete
  std::size_t at = 0;
  const auto failure = [&](const char* what) {
    return base::Failure{
        fmt::format("Edit {} {}. An edit is the line <<<<<<< SEARCH, lines of the basis, the line "
                    "=======, their replacement, and the line >>>>>>> REPLACE.",
                    std::max<std::size_t>(found.edits.size(), 1), what)};
  };
  for (const auto line : lines_of(answer)) {
    const auto marker = marker_in(line);
    const auto next = std::min(at + line.size() + 1, answer.size());
    if (marker == Marker::search) {
      if (inside != Marker::none) return failure("has a second SEARCH before its REPLACE");
      if (found.edits.empty()) found.begin = at;
      found.edits.emplace_back();
    } else if (marker == Marker::divide && inside == Marker::divide) {
      return failure("has two dividing lines");
    } else if (marker == Marker::replace) {
      if (inside != Marker::divide) return failure("has no dividing line");
      found.end = next;
    } else if (marker == Marker::none || inside == Marker::none) {
      if (inside == Marker::search) found.edits.back().search.push_back(line);
      if (inside == Marker::divide) found.edits.back().replace.push_back(line);
      at = next;
      continue;
    }
    inside = marker == Marker::replace ? Marker::none : marker;
    at = next;
  }
  if (inside != Marker::none) return failure("is not complete: your answer ends inside it");
  return found;
}

base::Result<std::string> edited(const std::vector<Edit>& edits, std::string_view basis) {
  const auto lines = lines_of(basis);
  std::vector<Match> matches;
  std::string complaints;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto match = placed(edits, i, lines);
    if (match)
      matches.push_back(*match);
    else
      complaints += match.error();
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < matches.size(); ++i)
    if (matches[i - 1].first + matches[i - 1].count > matches[i].first)
      complaints +=
          fmt::format("Edits {} and {} overlap in line {} of the basis: make one edit of them.\n",
                      matches[i - 1].edit + 1, matches[i].edit + 1, matches[i].first + 1);
  if (!complaints.empty())
    return base::Failure{complaints + "No edit was applied; send all of them again."};
  std::string result;
  std::size_t line = 0;
  const auto put = [&](std::string_view text) { result.append(text).append("\n"); };
  for (const auto& match : matches) {
    for (; line < match.first; ++line) put(lines[line]);
    for (const auto text : edits[match.edit].replace) put(text);
    line += match.count;
  }
  for (; line < lines.size(); ++line) put(lines[line]);
  return result;
}

}  // namespace hone::agents
