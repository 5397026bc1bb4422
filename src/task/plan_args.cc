#include "task/plan_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hone::task {
namespace {

// The whole of the text as a number, nothing before or behind it.
std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (ec == std::errc::result_out_of_range) return INFINITY;
  return ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<core::Arg> typed_float(TomlReader& read, core::DType dtype, std::string_view value,
                                     base::Position at, const std::string& text) {
  const auto number = whole_number(value);
  double kept = 0;
  unsigned char bits[8] = {};
  if (number && std::isfinite(*number)) {
    core::store_double(dtype, *number, bits);
    kept = core::load_as_double(dtype, bits);
  }
  if (!number)
    read.complain(at, fmt::format("{} is not a number: {} takes one, such as 0.5 or 1e-5",
                                  quote(value), core::name_of(dtype)));
  else if (!std::isfinite(*number) || !std::isfinite(kept))
    read.complain(at, fmt::format("{} does not fit in {}", quote(value), core::name_of(dtype)));
  else
    return core::Arg{core::TypedFloatArg{dtype, *number}, at, text};
  return std::nullopt;
}

// "f32:0.5", "i64:rows * cols", "local:4 * BLOCK".
std::optional<core::Arg> typed(TomlReader& read, const toml::node& node, const std::string& text,
                               std::size_t colon, core::Language language) {
  const auto prefix = trim(std::string_view(text).substr(0, colon));
  auto at = read.inside(node);
  const auto value_start = text.find_first_not_of(' ', colon + 1);
  const auto value = value_start == std::string::npos
                         ? std::string_view()
                         : trim(std::string_view(text).substr(value_start));
  const auto dtype = core::dtype_from(prefix);
  if (!dtype && prefix != "local") {
    read.complain(at, fmt::format("there is no type {}: arguments are typed f64 f32 f16 bf16 i64 "
                                  "i32 i16 i8 u64 u32 u16 u8, or local",
                                  quote(prefix)));
    return std::nullopt;
  }
  if (prefix == "local" && language == core::Language::cuda) {
    read.complain(at, "'local:' is OpenCL's: CUDA takes `shared = \"BYTES\"` in the launch");
    return std::nullopt;
  }
  at.column += static_cast<int>(std::min(value_start, text.size()));
  if (dtype && core::is_float(*dtype)) return typed_float(read, *dtype, value, at, text);
  auto expr = base::Expr::parse(value);
  if (!expr) {
    at.column += static_cast<int>(expr.error().offset);
    read.complain(at, fmt::format("args: {}", expr.error().message));
    return std::nullopt;
  }
  if (!dtype) return core::Arg{core::LocalArg{*expr}, at, text};
  return core::Arg{core::TypedIntegerArg{*dtype, *expr}, at, text};
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<core::Arg> read_argument(TomlReader& read, const toml::node& node,
                                       const PlanNames& names, core::Language language) {
  if (read.unfinished(node, "args")) return std::nullopt;
  if (const auto* value = node.as_floating_point()) {
    read.complain(
        read.place(node),
        fmt::format("a number with a fraction needs its type: write \"f32:{}\"", value->get()));
    return std::nullopt;
  }
  if (const auto* value = node.as_integer())
    return core::Arg{core::IntegerArg{base::Expr(value->get())}, read.place(node),
                     std::to_string(value->get())};
  const auto text = read.string(&node, "args");
  if (!text) return std::nullopt;
  const auto colon = text->find(':');
  if (colon != std::string::npos) return typed(read, node, *text, colon, language);
  if (whole_number(trim(*text)) && !base::Expr::parse(*text)) {
    read.complain(
        read.inside(node),
        fmt::format("a number with a fraction needs its type: write \"f32:{}\"", trim(*text)));
    return std::nullopt;
  }
  auto expr = read.expression(&node, "args");
  if (!expr) return std::nullopt;
  core::Arg arg{core::IntegerArg{expr->expr}, read.inside(node), *text};
  if (const auto known = names.find(std::string(trim(*text))); known != names.end()) {
    if (known->second == "scratch buffer") arg.value = core::BufferArg{known->first, {}, false};
    if (known->second == "tensor map") arg.value = core::TensorMapArg{known->first};
  }
  return arg;
}

}  // namespace hone::task
