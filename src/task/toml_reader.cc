#include "task/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/toml_parser.h"

namespace hone::task {
namespace {

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::vector<std::size_t> starts_of_lines(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  return starts;
}

}  // namespace

TomlReader::TomlReader(std::string_view text, int lines_before, Complaints& complaints)
    : text_(text),
      ascii_(to_ascii(text)),
      lines_before_(lines_before),
      complaints_(complaints),
      line_starts_(starts_of_lines(text)),
      ascii_line_starts_(starts_of_lines(ascii_.text)) {}

std::optional<toml::table> TomlReader::parse() {
  if (!ascii_.problem.empty()) {
    complain(position(ascii_.problem_at), ascii_.problem);
    return std::nullopt;
  }
  auto result = base::parse_toml(ascii_.text);
  if (!result) {
    complain({lines_before_ + stumbling_line(), 1}, "this is not TOML: the line cannot be read");
    return std::nullopt;
  }
  if (*result) return std::move(*result).table();
  std::string why(result->error().description());
  for (char& c : why)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  complain(position(result->error().source().begin), "this is not TOML: " + why);
  return std::nullopt;
}

// The parser goes from top to bottom, so the line it stumbled over is the last of the shortest
// beginning that makes it stumble.
int TomlReader::stumbling_line() const {
  std::size_t good = 0, bad = ascii_line_starts_.size();
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (base::parse_toml(std::string_view(ascii_.text).substr(0, ascii_line_starts_[middle])) ? good
                                                                                           : bad) =
        middle;
  }
  return static_cast<int>(bad);
}

base::Position TomlReader::position(std::size_t offset) const {
  const auto line =
      std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - line_starts_.begin();
  return {lines_before_ + static_cast<int>(line),
          static_cast<int>(offset - line_starts_[static_cast<std::size_t>(line) - 1]) + 1};
}

base::Position TomlReader::position(toml::source_position at) const {
  return position(offset_of(at));
}

std::size_t TomlReader::offset_of(toml::source_position at) const {
  const std::size_t line = std::clamp<std::size_t>(at.line, 1, ascii_line_starts_.size());
  const std::size_t offset = ascii_line_starts_[line - 1] + std::max<std::size_t>(at.column, 1) - 1;
  return ascii_.origin[std::min(offset, ascii_.origin.size() - 1)];
}

std::size_t TomlReader::byte_offset(const toml::node& node) const {
  return offset_of(node.source().begin);
}

base::Position TomlReader::place(const toml::node& node) const {
  return position(node.source().begin);
}

base::Position TomlReader::inside(const toml::node& node) const {
  auto at = place(node);
  if (!node.is_string()) return at;
  const auto from = text_.substr(byte_offset(node));
  at.column += from.starts_with("\"\"\"") || from.starts_with("\'\'\'") ? 3 : 1;
  return at;
}

base::Position TomlReader::key_place(const Section& section, std::string_view key) const {
  const auto found = section.table->find(key);
  if (found != section.table->cend()) return position(found->first.source().begin);
  return place(*section.table);
}

std::vector<std::string> TomlReader::keys_in_order(const toml::table& table) const {
  std::vector<std::pair<std::size_t, std::string>> keys;
  for (const auto& [key, node] : table) {
    const auto at = position(key.source().begin);
    keys.emplace_back(
        (static_cast<std::size_t>(at.line) << 32) + static_cast<std::size_t>(at.column),
        std::string(key.str()));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::string> names;
  for (auto& [at, name] : keys) names.push_back(std::move(name));
  return names;
}

void TomlReader::only(const Section& section, const std::vector<std::string>& known,
                      const std::vector<std::string>& elsewhere) {
  for (const auto& key : keys_in_order(*section.table)) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const bool misplaced = std::find(elsewhere.begin(), elsewhere.end(), key) != elsewhere.end();
    complain(key_place(section, key),
             misplaced ? fmt::format("{} does not belong to {}: write it above the first [section]",
                                     quote(key), section.title)
                       : fmt::format("{} has no key {}{}", section.title, quote(key),
                                     did_you_mean(key, known)));
  }
}

const toml::node* TomlReader::need(const Section& section, std::string_view key) {
  const toml::node* node = section.table->get(key);
  if (node == nullptr)
    complain(place(*section.table), fmt::format("{} has no '{}'", section.title, key));
  return node;
}

std::vector<Section> TomlReader::sections(const Section& root, const std::string& key,
                                          std::size_t most) {
  std::vector<Section> found;
  const toml::node* node = root.table->get(key);
  if (node == nullptr) return found;
  const std::string title = "[[" + key + "]]";
  if (node->is_table()) {
    complain(key_place(root, key),
             fmt::format("write {}, with two brackets: there can be several", title));
    return found;
  }
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    wrong_type(*node, key, fmt::format("a section {}", title));
    return found;
  }
  if (list->size() > most)
    complain(key_place(root, key),
             fmt::format("there are {} {} sections; {} at most", list->size(), title, most));
  for (const auto& item : *list) {
    if (found.size() >= most) break;
    if (const auto* table = item.as_table())
      found.push_back({table, title});
    else
      wrong_type(item, key, fmt::format("a section {}", title));
  }
  return found;
}

std::optional<Section> TomlReader::subsection(const toml::node* node, const std::string& title) {
  if (node == nullptr || unfinished(*node, title)) return std::nullopt;
  if (const auto* table = node->as_table()) return Section{table, title};
  wrong_type(*node, title, "a table");
  return std::nullopt;
}

std::optional<std::string> TomlReader::string(const toml::node* node, const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return std::nullopt;
  if (const auto* text = node->as_string()) return text->get();
  wrong_type(*node, what, "a string");
  return std::nullopt;
}

std::optional<std::int64_t> TomlReader::integer(const toml::node* node, const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return std::nullopt;
  if (const auto* value = node->as_integer()) return value->get();
  wrong_type(*node, what, "an integer");
  return std::nullopt;
}

std::optional<double> TomlReader::number(const toml::node* node, const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return std::nullopt;
  if (const auto* value = node->as_integer()) return static_cast<double>(value->get());
  const auto* value = node->as_floating_point();
  if (value == nullptr)
    wrong_type(*node, what, "a number");
  else if (!std::isfinite(value->get()))
    complain(place(*node), fmt::format("'{}' must be finite", what));
  else
    return value->get();
  return std::nullopt;
}

std::optional<bool> TomlReader::boolean(const toml::node* node, const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return std::nullopt;
  if (const auto* value = node->as_boolean()) return value->get();
  wrong_type(*node, what, "true or false");
  return std::nullopt;
}

const toml::array* TomlReader::array(const toml::node* node, const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return nullptr;
  const auto* list = node->as_array();
  if (list == nullptr) wrong_type(*node, what, "an array");
  return list;
}

std::optional<core::DType> TomlReader::dtype(const toml::node* node, const std::string& what,
                                             bool tensor) {
  const auto text = string(node, what);
  if (!text) return std::nullopt;
  std::vector<std::string> known = {"f64", "f32", "f16", "bf16", "i64", "i32", "i8", "u8"};
  if (!tensor)
    known = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"};
  if (std::find(known.begin(), known.end(), *text) != known.end()) return core::dtype_from(*text);
  complain(inside(*node),
           fmt::format("there is no dtype {}: it is one of {}", quote(*text), join(known)));
  return std::nullopt;
}

std::optional<std::string> TomlReader::one_of(const toml::node* node, const std::string& what,
                                              const std::vector<std::string>& allowed) {
  auto text = string(node, what);
  if (!text || std::find(allowed.begin(), allowed.end(), *text) != allowed.end()) return text;
  std::vector<std::string> shown;
  for (const auto& word : allowed) shown.push_back('"' + word + '"');
  complain(inside(*node),
           fmt::format("'{}' cannot be {}: it is {}", what, quote(*text), join(shown)));
  return std::nullopt;
}

std::optional<core::PlanExpr> TomlReader::expression(const toml::node* node,
                                                     const std::string& what) {
  if (node == nullptr || unfinished(*node, what)) return std::nullopt;
  if (const auto* value = node->as_integer())
    return core::PlanExpr{base::Expr(value->get()), place(*node)};
  const auto* text = node->as_string();
  if (text == nullptr) {
    wrong_type(*node, what, "an expression (a string or an integer)");
    return std::nullopt;
  }
  auto at = inside(*node);
  auto expr = base::Expr::parse(text->get());
  if (expr) return core::PlanExpr{std::move(*expr), at};
  at.column += static_cast<int>(expr.error().offset);
  complain(at, fmt::format("{}: {}", what, expr.error().message));
  return std::nullopt;
}

std::vector<core::PlanExpr> TomlReader::expressions(const toml::node* node, const std::string& what,
                                                    std::size_t least, std::size_t most) {
  std::vector<core::PlanExpr> found;
  if (node == nullptr || unfinished(*node, what)) return found;
  const auto* list = node->as_array();
  if (list == nullptr) {
    wrong_type(*node, what, fmt::format("an array of expressions, such as {} = [\"n\"]", what));
    return found;
  }
  if (list->size() < least || list->size() > most) {
    complain(place(*node), fmt::format("'{}' has {} expressions; it takes {}", what, list->size(),
                                       least == most ? fmt::format("{}", most)
                                                     : fmt::format("{} to {}", least, most)));
    return found;
  }
  for (const auto& item : *list)
    if (auto expr = expression(&item, what)) found.push_back(std::move(*expr));
  return found;
}

std::optional<std::string> TomlReader::name(const Section& section, const std::string& key) {
  const toml::node* node = need(section, key);
  auto text = string(node, key);
  if (!text) return std::nullopt;
  if (const auto problem = name_problem(*text); !problem.empty()) {
    complain(inside(*node), problem);
    return std::nullopt;
  }
  return text;
}

bool TomlReader::unfinished(const toml::node& node, const std::string& what) {
  const auto* text = node.as_string();
  if (text == nullptr || text->get() != "?") return false;
  complain(place(node), fmt::format("'{}' is still to be filled in", what));
  return true;
}

void TomlReader::wrong_type(const toml::node& node, const std::string& what,
                            const std::string& wanted) {
  complain(place(node), fmt::format("'{}' must be {}, not {}", what, wanted, type_name(node)));
}

}  // namespace hone::task
