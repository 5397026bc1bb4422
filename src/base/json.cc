#include "base/json.h"

#include <fmt/chrono.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hone::base {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 500;       // levels; what is nested deeper is an attack
constexpr std::size_t longest_quote = 60;  // of what is refused

// The library reads any depth, and writes by recursion.
bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > deepest)
      return true;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

template <typename Json>
Json parsed(std::string_view text) {
  if (is_too_deep(text)) fail(ExitCode::bad_input, "its values are nested too deeply");
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    const std::string why = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    fail(ExitCode::bad_input, "it is not JSON: {}", why.substr(why.find("] ") + 2));
  }
}

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <typename Json>
class Writer final : public FieldVisitor {
 public:
  explicit Writer(Json& root) : at_{&root} {}
  Use use() const override { return Use::write; }
  void object() override {
    if (here().is_null() && !null_) here() = Json::object();
  }
  bool enter(const Field& field) override {
    object();
    return go_to(here()[std::string(field.name)]);
  }
  bool enter(std::size_t item) override { return go_to(here()[item]); }
  void leave() override {
    at_.pop_back();
    null_ = false;
  }
  std::size_t list(std::size_t size, ListKind) override {
    here() = typename Json::array_t(size);
    return size;
  }
  std::vector<std::string> names() override { return {}; }
  bool null(bool is_null) override { return null_ = is_null; }
  void scalar(Scalar value) override {
    std::visit(Overloaded{[&](RawJson* raw) {
                            here() = parsed<Json>(raw->text);
                            null_ = here().is_null();
                          },
                          [&](double* number) { here() = words(*number); },
                          [&](auto* plain) { here() = *plain; }},
               value);
  }
  void one_of(const std::vector<std::string_view>&) override {}
  [[noreturn]] void refuse(const std::string& why) const override { throw std::logic_error(why); }

 private:
  Json& here() { return *at_.back(); }
  bool go_to(Json& part) {
    at_.push_back(&part);
    return true;
  }
  static Json words(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }

  std::vector<Json*> at_;
  bool null_ = false;  // the value at hand was said to be null, so it is no empty object
};

class Reader final : public FieldVisitor {
 public:
  explicit Reader(const json& root) : at_{{&root, {}, 0}} {}
  Use use() const override { return Use::read; }
  void object() override {}
  bool enter(const Field& field) override {
    if (!field.is_read) return false;
    if (!here().is_object()) refuse("is no object");
    const auto found = here().find(field.name);
    if (found == here().end() && field.needed)
      fail(ExitCode::bad_input, "{} has no \"{}\"", place(), field.name);
    if (found == here().end()) return false;
    at_.push_back({&*found, field.name, 0});
    return true;
  }
  bool enter(std::size_t item) override {
    at_.push_back({&here()[item], {}, item});
    return true;
  }
  void leave() override { at_.pop_back(); }
  std::size_t list(std::size_t, ListKind) override {
    if (!here().is_array()) refuse("is no list");
    return here().size();
  }
  std::vector<std::string> names() override {
    if (!here().is_object()) refuse("is no object");
    std::vector<std::string> names;
    for (const auto& [name, part] : here().items()) names.push_back(name);
    return names;
  }
  bool null(bool) override { return here().is_null(); }
  void scalar(Scalar value) override {
    std::visit(
        Overloaded{[&](bool* truth) {
                     if (!here().is_boolean()) refuse("is neither true nor false");
                     *truth = here().get<bool>();
                   },
                   [&](std::string* text) {
                     if (!here().is_string()) refuse("is no text");
                     *text = here().get<std::string>();
                   },
                   [&](double* number) { *number = number_here(); },
                   [&](RawJson* raw) {
                     raw->text = here().dump(-1, ' ', false, json::error_handler_t::replace);
                   },
                   [&](auto* whole) { *whole = whole_here<std::decay_t<decltype(*whole)>>(); }},
        value);
  }
  void one_of(const std::vector<std::string_view>&) override {}
  [[noreturn]] void refuse(const std::string& why) const override {
    std::string shown = here().dump(-1, ' ', true, json::error_handler_t::replace);
    if (shown.size() > longest_quote) shown = shown.substr(0, longest_quote) + "...";
    fail(ExitCode::bad_input, "{} {}: {}", place(), why, shown);
  }

 private:
  struct Step {
    const json* value;
    std::string_view name;  // none: of an item
    std::size_t item;
  };
  const json& here() const { return *at_.back().value; }
  std::string place() const {
    if (at_.size() == 1) return "it";
    std::string path;
    for (std::size_t i = 1; i < at_.size(); ++i)
      path += (i == 1 ? "" : "/") +
              (at_[i].name.empty() ? std::to_string(at_[i].item) : std::string(at_[i].name));
    return "\"" + path + "\"";
  }
  double number_here() const {
    if (here().is_number()) return here().get<double>();
    if (here() == "nan" || here().is_null()) return NAN;
    if (here() == "inf") return INFINITY;
    if (here() == "-inf") return -INFINITY;
    refuse("is no number");
  }
  // Other programs write whole numbers with a point, too: 3.0.
  template <typename Whole>
  Whole whole_here() const {
    constexpr double exact = 9007199254740992;  // up to here a double holds every whole number
    if (!here().is_number()) refuse("is no number");
    if (here().is_number_float()) {
      const double number = here().get<double>();
      if (number != std::floor(number) || std::abs(number) > exact) refuse("is no whole number");
      if (number < 0 && std::is_unsigned_v<Whole>) refuse("is negative");
      return static_cast<Whole>(number);
    }
    const bool wraps = std::is_unsigned_v<Whole>
                           ? !here().is_number_unsigned()
                           : here().is_number_unsigned() && here().get<std::uint64_t>() > INT64_MAX;
    if (wraps) refuse("is too large or too small a number");
    return here().get<Whole>();
  }

  std::vector<Step> at_;
};

template <typename Json>
std::string written(const Description& value, int indent) {
  Json root;
  Writer<Json> writer(root);
  Fields fields(writer);
  value(fields);
  return root.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string write_json(const Description& value, int indent, KeyOrder order) {
  return order == KeyOrder::sorted ? written<json>(value, indent)
                                   : written<nlohmann::ordered_json>(value, indent);
}

void read_json(std::string_view text, const Description& value) {
  const json root = parsed<json>(text);
  Reader reader(root);
  Fields fields(reader);
  value(fields);
}

bool is_json(std::string_view text) { return json::accept(text); }

bool is_json_object(std::string_view text) { return json::parse(text, nullptr, false).is_object(); }

std::string text_field(std::string_view text, std::string_view name) {
  const json value = json::parse(text, nullptr, false);
  const auto found = value.is_object() ? value.find(name) : value.end();
  return found != value.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string json_time(std::chrono::sys_time<std::chrono::milliseconds> when) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(when);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds.time_since_epoch().count()),
                     (when - seconds).count());
}

std::string valid_utf8(std::string_view text) {
  const std::string quoted =
      json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

}  // namespace hone::base
