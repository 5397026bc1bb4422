#include "text/table.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace hone::text {
namespace {

constexpr std::string_view gap = "  ";  // between columns

// Calls piece(text, columns) for each character and each colour sequence.
template <typename Visit>
void for_each_piece(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t length = 1;
    const bool colour = text.starts_with("\x1b[");
    if (colour)
      length = std::min(text.find('m'), text.size() - 1) + 1;
    else
      while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        ++length;
    visit(text.substr(0, length), colour ? 0u : 1u);
    text.remove_prefix(length);
  }
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_each_piece(text, [&](std::string_view, unsigned columns) { width += columns; });
  return width;
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  std::size_t used = 0;
  bool marked = false;
  // Colour sequences are kept to the end, so that the last one can switch the colour off.
  for_each_piece(text, [&](std::string_view piece, unsigned columns) {
    if (columns == 0 || used + 1 < width)
      out += piece;
    else if (!marked && width > 0) {
      out += "…";
      marked = true;
    }
    used += columns;
  });
  return out;
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  return widths;
}

std::vector<bool> Table::columns_that_fit(const std::vector<std::size_t>& widths,
                                          const Screen& screen) const {
  std::vector<bool> shown(columns_.size(), true);
  const auto width = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (shown[i]) sum += widths[i] + (sum > 0 ? gap.size() : 0);
    return sum;
  };
  while (screen.width > 0 && width() > static_cast<std::size_t>(screen.width)) {
    std::size_t first = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (shown[i] &&
          columns_[i].left_out > (first < columns_.size() ? columns_[first].left_out : 0))
        first = i;
    if (first == columns_.size()) break;
    shown[first] = false;
  }
  return shown;
}

std::string Table::text(const Screen& screen) const {
  const auto width_of = widths();
  const auto shown = columns_that_fit(width_of, screen);
  std::vector<std::string> titles, missing;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles.push_back(columns_[i].title);
    if (!shown[i]) missing.push_back(columns_[i].title);
  }
  std::string out;
  const auto append = [&](const std::vector<std::string>& row, Colour colour) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!shown[i]) continue;
      const std::string padding(width_of[i] - display_width(row[i]), ' ');
      if (!line.empty()) line += gap;
      line += columns_[i].align == Column::Align::right ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (screen.width > 0) line = cut(line, static_cast<std::size_t>(screen.width));
    out += paint(line, colour, screen) + "\n";
  };
  if (std::any_of(titles.begin(), titles.end(), [](const auto& title) { return !title.empty(); }))
    append(titles, Colour::faint);
  for (const auto& row : rows_) append(row, Colour::plain);
  if (!missing.empty())
    out += paint(fmt::format("(a wider terminal also shows: {})", fmt::join(missing, ", ")),
                 Colour::faint, screen) +
           "\n";
  return out;
}

}  // namespace hone::text
