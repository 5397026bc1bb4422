#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/error.h"
#include "task/plan_comment.h"
#include "task/plan_parser.h"
#include "task/toml_reader.h"

namespace hone::task {
namespace {

using base::ExitCode;

bool has_value(const toml::table& tunable, std::int64_t value) {
  const auto* values = tunable["values"].as_array();
  if (values == nullptr) return false;
  return std::any_of(values->begin(), values->end(),
                     [&](const toml::node& node) { return node.value<std::int64_t>() == value; });
}

}  // namespace

std::string set_defaults(const std::string& source, const core::Point& point) {
  Complaints complaints("");
  const auto comment = find_plan(source, complaints);
  if (!comment) base::fail(ExitCode::bad_input, "{}", base::render(complaints.take(), source));
  TomlReader read(comment->toml, comment->lines_before, complaints);
  const auto root = read.parse();
  if (!root) base::fail(ExitCode::bad_input, "{}", base::render(complaints.take(), source));
  const auto start = static_cast<std::size_t>(comment->toml.data() - source.data());
  std::map<std::size_t, std::int64_t> changes;  // by place of the number
  for (const auto& [name, value] : point) {
    const auto* tunable = (*root)["tune"][name].as_table();
    const auto* node = tunable == nullptr ? nullptr : tunable->get("default");
    if (node == nullptr || !node->is_integer())
      base::fail(ExitCode::bad_input, "the plan has no tunable {} with a default", quote(name));
    if (!has_value(*tunable, value))
      base::fail(ExitCode::bad_input, "{} is not among the values of the tunable {}", value,
                 quote(name));
    changes[start + read.byte_offset(*node)] = value;
  }
  std::string out = source;
  for (auto change = changes.rbegin(); change != changes.rend();
       ++change) {  // from the back, so that places stay true
    std::size_t end = change->first;
    while (end < out.size() && (std::isalnum(static_cast<unsigned char>(out[end])) ||
                                std::string_view("+-_").find(out[end]) != std::string_view::npos))
      ++end;
    out.replace(change->first, end - change->first, std::to_string(change->second));
  }
  return out;
}

}  // namespace hone::task
