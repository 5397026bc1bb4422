#include "task/task_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hone::task {
namespace {

constexpr std::size_t most_dimensions = 8;  // far above what real tasks have

const std::vector<std::string> variant_names = {"shifted", "flipped", "heavy", "large"};

}  // namespace

const std::vector<std::string> task_keys = {"hone",  "kind",   "name",   "summary",
                                            "input", "output", "scalar", "case",
                                            "work",  "weak",   "class",  "reference"};

// The name of a tensor or scalar; complains if it is taken.
std::string TensorParser::own_name(const Section& section) {
  const auto name = read_.name(section);
  if (!name) return "";
  const auto at = read_.inside(*read_.find(section, "name"));
  if (!names_.insert(*name).second)
    read_.complain(
        at, fmt::format("the name {} stands twice: inputs, outputs and scalars share their names",
                        quote(*name)));
  return *name;
}

// A shape and its place, kept for the check against the cases.
std::vector<base::Expr> TensorParser::shape(const Section& section, const std::string& name) {
  std::vector<base::Expr> shape;
  const auto* node = read_.need(section, "shape");
  const auto parsed = read_.expressions(node, "shape", 1, most_dimensions);
  for (const auto& dim : parsed) shape.push_back(dim.expr);
  const auto* list = node == nullptr ? nullptr : node->as_array();
  if (parsed.empty() || list->size() != parsed.size() ||
      !places_.shapes.try_emplace(name, parsed).second)
    places_.all_sizes = false;
  return shape;
}

void TensorParser::input(const Section& section) {
  read_.only(section, {"name", "dtype", "shape", "draw", "variants"}, task_keys);
  core::Input input;
  input.name = own_name(section);
  const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", true);
  if (dtype)
    input.dtype = *dtype;
  else
    places_.all_sizes = false;
  input.shape = shape(section, input.name);
  const bool is_integer = dtype && !core::is_float(*dtype);
  if (const auto* node = read_.find(section, "draw"))
    draw(node, input, is_integer);
  else if (is_integer)
    read_.complain(read_.place(*section.table),
                   "an integer input needs draw = { kind = \"integers\", low = 0, high = 9 }");
  variants(read_.find(section, "variants"), input, is_integer);
  task_.inputs.push_back(std::move(input));
}

void TensorParser::draw(const toml::node* node, core::Input& input, bool is_integer) {
  const auto section = read_.subsection(node, "draw");
  if (!section) return;
  if (read_.find(*section, "variants") != nullptr)
    return read_.complain(read_.key_place(*section, "variants"),
                          "'variants' stands in [[input]], beside draw");
  const auto* kind_node = read_.need(*section, "kind");
  const auto kind =
      read_.one_of(kind_node, "kind", {"normal", "uniform", "integers", "ends", "problem"});
  if (!kind) return;
  if (*kind == "problem") return by_problem(*section, input);
  if (*kind == "ends" && input.dtype != core::DType::i32 && input.dtype != core::DType::i64)
    return read_.complain(read_.inside(*kind_node),
                          "kind = \"ends\" is for inputs of dtype i32 or i64");
  if (*kind == "ends") return ends(*section, input);
  if (is_integer && *kind != "integers")
    return read_.complain(read_.inside(*kind_node),
                          "an integer input is drawn with kind = \"integers\" or \"ends\"");
  if (*kind == "integers") return integers(*section, input);
  const bool normal = *kind == "normal";
  const std::string first = normal ? "mean" : "low", second = normal ? "std" : "high";
  read_.only(*section, {"kind", first, second});
  input.draw.kind = normal ? core::DrawKind::normal : core::DrawKind::uniform;
  input.draw.a = normal ? 0 : -1;
  input.draw.b = 1;
  const auto a = read_.number(read_.find(*section, first), first),
             b = read_.number(read_.find(*section, second), second);
  if (a) input.draw.a = *a;
  if (b) input.draw.b = *b;
  if (normal && !(input.draw.b > 0))
    read_.complain(read_.key_place(*section, second), "the deviation 'std' must be more than 0");
  if (!normal && !(input.draw.a < input.draw.b))
    read_.complain(
        read_.key_place(*section, a ? first : second),
        fmt::format("'low' ({}) must be less than 'high' ({})", input.draw.a, input.draw.b));
}

void TensorParser::by_problem(const Section& section, core::Input& input) {
  read_.only(section, {"kind", "why", "independent"});
  input.draw.kind = core::DrawKind::problem;
  if (const auto why = read_.string(read_.find(section, "why"), "why")) input.draw.why = *why;
  input.draw.independent =
      read_.boolean(read_.find(section, "independent"), "independent").value_or(false);
}

void TensorParser::integers(const Section& section, core::Input& input) {
  read_.only(section, {"kind", "low", "high"});
  input.draw.kind = core::DrawKind::integers;
  const auto low = read_.expression(read_.need(section, "low"), "low"),
             high = read_.expression(read_.need(section, "high"), "high");
  if (!low || !high) return;
  input.draw.low = low->expr;
  input.draw.high = high->expr;
  places_.ranges.push_back({input.name, input.dtype, *low, *high});
}

void TensorParser::ends(const Section& section, core::Input& input) {
  read_.only(section, {"kind", "total", "skew", "empty"});
  input.draw.kind = core::DrawKind::ends;
  const auto total = read_.expression(read_.need(section, "total"), "total");
  if (!total) return;
  input.draw.total = total->expr;
  places_.ranges.push_back({input.name, input.dtype, *total, *total, "total", 0});
  const auto optional = [&](const char* name, base::Expr& to) {
    const auto* node = read_.find(section, name);
    const auto value = node == nullptr ? std::nullopt : read_.expression(node, name);
    if (!value) return;
    to = value->expr;
    places_.ranges.push_back({input.name, input.dtype, *value, *value, name, 0});
  };
  optional("skew", input.draw.skew);
  optional("empty", input.draw.empty);
}

void TensorParser::variants(const toml::node* node, core::Input& input, bool is_integer) {
  const bool structured = input.draw.kind == core::DrawKind::problem && !input.draw.independent;
  const bool plain_only = is_integer || input.draw.kind == core::DrawKind::problem;
  if (node == nullptr) {
    if (!plain_only)
      input.variants = {core::Variant::shifted, core::Variant::flipped, core::Variant::heavy,
                        core::Variant::large};
    return;
  }
  const auto* list = read_.array(node, "variants");
  if (list == nullptr) return;
  if (is_integer && !list->empty())
    return read_.complain(read_.place(*node), "an integer input has no variants");
  if (structured && !list->empty())
    return read_.complain(read_.place(*node),
                          "an input that the problem draws as a whole has no variants");
  for (const auto& item : *list) {
    const auto word = read_.one_of(&item, "variants", variant_names);
    if (!word) continue;
    const auto variant = static_cast<core::Variant>(
        std::find(variant_names.begin(), variant_names.end(), *word) - variant_names.begin() + 1);
    if (std::find(input.variants.begin(), input.variants.end(), variant) != input.variants.end())
      read_.complain(read_.inside(item), fmt::format("the variant {} stands twice", quote(*word)));
    else
      input.variants.push_back(variant);
  }
}

void TensorParser::output(const Section& section) {
  read_.only(section, {"name", "dtype", "shape", "tolerance"}, task_keys);
  core::Output output;
  output.name = own_name(section);
  const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", true);
  if (dtype)
    output.dtype = *dtype;
  else
    places_.all_sizes = false;
  output.shape = shape(section, output.name);
  const auto* node = read_.find(section, "tolerance");
  if (node == nullptr && dtype && core::is_float(*dtype))
    read_.complain(read_.place(*section.table),
                   "a floating-point [[output]] needs tolerance = { max = 2e-5, rms = 2e-6 }");
  if (const auto tolerance = read_.subsection(node, "tolerance")) {
    read_.only(*tolerance, {"max", "rms"});
    const auto max = bound(*tolerance, "max"), rms = bound(*tolerance, "rms");
    if (max && rms && *rms > *max)
      read_.complain(
          read_.key_place(*tolerance, "rms"),
          fmt::format("'rms' ({}) bounds nothing when it is more than 'max' ({})", *rms, *max));
    output.tolerance = {max.value_or(0), rms.value_or(0)};
  }
  task_.outputs.push_back(std::move(output));
}

std::optional<double> TensorParser::bound(const Section& tolerance, const std::string& key) {
  const auto* node = read_.need(tolerance, key);
  const auto value = read_.number(node, key);
  if (!value || (*value >= 0 && *value < 1)) return value;
  read_.complain(
      read_.place(*node),
      fmt::format(
          "'{}' is {}; a tolerance is at least 0 and less than 1, where anything would pass", key,
          *value));
  return std::nullopt;
}

void TensorParser::scalar(const Section& section) {
  read_.only(section, {"name", "dtype", "value"}, task_keys);
  core::Scalar scalar;
  scalar.name = own_name(section);
  const auto dtype = read_.dtype(read_.need(section, "dtype"), "dtype", false);
  const auto* node = read_.need(section, "value");
  if (!dtype || node == nullptr) return;
  scalar.dtype = *dtype;
  if (core::is_float(*dtype)) {
    const auto value = read_.number(node, "value");
    unsigned char bits[8] = {};
    if (value) core::store_double(*dtype, *value, bits);
    if (value && !std::isfinite(core::load_as_double(*dtype, bits)))
      read_.complain(read_.place(*node),
                     fmt::format("{} does not fit in {}", *value, core::name_of(*dtype)));
    scalar.value = value.value_or(0);
  } else if (const auto expr = read_.expression(node, "value")) {
    scalar.expression = expr->expr;
    places_.scalars.push_back({scalar.name, *dtype, *expr, *expr});
  }
  task_.scalars.push_back(std::move(scalar));
}

}  // namespace hone::task
