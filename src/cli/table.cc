#include "cli/table.h"

#include <algorithm>

namespace hone::cli {
namespace {

// Calls piece(text, columns) for each character and each colour sequence.
template <typename Visit>
void for_each_piece(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t length = 1;
    const bool colour = text.starts_with("\x1b[");
    if (colour)
      length = std::min(text.find('m'), text.size() - 1) + 1;
    else
      while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
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

std::string Table::text(const Screen& screen) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  const bool titled = std::any_of(titles.begin(), titles.end(), [](const auto& title) { return !title.empty(); });

  std::vector<std::size_t> widths;
  for (const auto& title : titles) widths.push_back(display_width(title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));

  std::string out;
  const auto append = [&](const std::vector<std::string>& row, Colour colour) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Column::Align::right ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (screen.width > 0) line = cut(line, static_cast<std::size_t>(screen.width));
    out += paint(line, colour, screen) + "\n";
  };
  if (titled) append(titles, Colour::faint);
  for (const auto& row : rows_) append(row, Colour::plain);
  return out;
}

}  // namespace hone::cli
