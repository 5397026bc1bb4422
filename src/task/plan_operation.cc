// Arguments of library operations, as a plan writes them. A part of the plan parser.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "task/plan_args.h"

namespace hone::task {
namespace {

using core::Arg;

constexpr int deepest_list = 3;  // lists of lists of lists are more than any operation takes

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// "w.T", "x[rows, 64]", "x[rows, 64].T": a tensor seen otherwise. Nothing where the text is none of
// these.
std::optional<Arg> viewed(TomlReader& read, const toml::node& node, const std::string& text) {
  std::string_view rest = trim(text);
  core::BufferArg buffer;
  if (rest.ends_with(".T")) {
    buffer.transposed = true;
    rest = trim(rest.substr(0, rest.size() - 2));
  }
  const auto open = rest.find('[');
  if (open != std::string_view::npos && rest.ends_with("]")) {
    std::string_view list = rest.substr(open + 1, rest.size() - open - 2);
    rest = trim(rest.substr(0, open));
    for (std::size_t start = 0, depth = 0, i = 0; i <= list.size();
         ++i) {  // commas outside of min(a, b)
      if (i < list.size() && list[i] == '(') ++depth;
      if (i < list.size() && list[i] == ')' && depth > 0) --depth;
      if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
      const auto expr = base::Expr::parse(trim(list.substr(start, i - start)));
      if (!expr) {
        read.complain(read.inside(node),
                      fmt::format("args: {}: {}", quote(text), expr.error().message));
        return std::nullopt;
      }
      buffer.shape.push_back({*expr, read.inside(node)});
      start = i + 1;
    }
  }
  if ((!buffer.transposed && buffer.shape.empty()) || !is_name(rest)) return std::nullopt;
  buffer.name = rest;
  return Arg{std::move(buffer), read.inside(node), text};
}

std::optional<Arg> text_argument(TomlReader& read, const toml::node& node, const PlanNames& names) {
  const std::string text = node.as_string()->get();
  const auto word = trim(text);
  if (word == "None") return Arg{core::NoneArg{}, read.inside(node), text};
  if (word.size() >= 2 && word.front() == '\'' && word.back() == '\'')
    return Arg{core::TextArg{std::string(word.substr(1, word.size() - 2))}, read.inside(node),
               text};
  if (word.ends_with(".T") || word.ends_with("]")) {
    auto view = viewed(read, node, text);
    if (view) return view;
  }
  return read_argument(read, node, names, core::Language::cuda);
}

std::optional<Arg> argument(TomlReader& read, const toml::node& node, const PlanNames& names,
                            std::size_t most, int depth) {
  if (const auto* flag = node.as_boolean())
    return Arg{core::BoolArg{flag->get()}, read.place(node), "a boolean"};
  if (node.is_floating_point()) {
    const auto value = read.number(&node, "args");
    return value ? std::optional(Arg{core::TypedFloatArg{core::DType::f64, *value},
                                     read.place(node), fmt::format("{}", *value)})
                 : std::nullopt;
  }
  if (node.is_string()) return text_argument(read, node, names);
  const auto* list = node.as_array();
  if (list == nullptr) return read_argument(read, node, names, core::Language::cuda);
  if (list->size() > most || depth >= deepest_list) {
    read.complain(read.place(node),
                  fmt::format("a list has {} items at most, and lists lie {} deep at most", most,
                              deepest_list));
    return std::nullopt;
  }
  core::ListArg items;
  for (const auto& item : *list)
    if (auto one = argument(read, item, names, most, depth + 1))
      items.items.push_back(std::move(*one));
  return Arg{std::move(items), read.place(node), "a list"};
}

}  // namespace

bool is_operation_name(std::string_view name) {
  if (!name.starts_with("aten.")) return false;
  std::string_view rest = name.substr(5);
  const auto dot = rest.find('.');
  return is_name(rest.substr(0, dot)) &&
         (dot == std::string_view::npos || is_name(rest.substr(dot + 1)));
}

std::optional<Arg> read_operation_argument(TomlReader& read, const toml::node& node,
                                           const PlanNames& names, std::size_t most) {
  return argument(read, node, names, most, 0);
}

std::vector<Arg> read_operation_arguments(TomlReader& read, const toml::array& list,
                                          const PlanNames& names, std::size_t most) {
  std::vector<Arg> args;
  if (list.size() > most)
    read.complain(read.place(list),
                  fmt::format("there are {} arguments; {} at most", list.size(), most));
  for (const auto& item : list)
    if (auto arg = argument(read, item, names, most, 0)) args.push_back(std::move(*arg));
  return args;
}

}  // namespace hone::task
