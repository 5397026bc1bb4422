#pragma once
// Aligned columns for people, with two spaces between them. Cells may hold UTF-8 and the colours of
// paint(); a table is built, printed and forgotten by one thread.
#include <string>
#include <string_view>
#include <vector>

#include "text/format.h"

namespace hone::text {

struct Column {
  std::string title;
  enum class Align { left, right } align = Align::left;
  // Where the screen is too narrow, columns are left out: those with the largest number first, 0
  // never.
  int left_out = 0;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells);  // missing cells are empty
  bool empty() const { return rows_.empty(); }
  // Titles (unless all are empty) and rows, each ended by a newline. Where the screen has a width,
  // columns that may be left out are, as far as needed, which a last line says, and longer lines
  // are cut.
  std::string text(const Screen& screen = {}) const;

 private:
  std::vector<std::size_t> widths() const;
  std::vector<bool> columns_that_fit(const std::vector<std::size_t>& widths,
                                     const Screen& screen) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::size_t display_width(
    std::string_view text);  // in columns: colours count nothing, a character of UTF-8 counts one
std::string cut(std::string_view text,
                std::size_t width);  // ends in "…" where something was left out

}  // namespace hone::text
