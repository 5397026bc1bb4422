#pragma once
// What a plain struct says once about itself: which fields it has, and under which names. A
// function `describe(base::Fields&, Struct&)` beside the struct does so. base/json.h makes of it
// the struct's JSON, reads JSON into a struct, and makes a JSON Schema; no JSON library is needed
// here. A Fields stands at one value of a document and belongs to one thread.
//
//   void describe(base::Fields& f, Interval& i) { f.row(i.low, i.high); }  // [1, 2]
//   void describe(base::Fields& f, Job& job) {
//     f("name", job.name, "Its own name.");    // always written; must be there when read
//     f("tries", job.tries)("case", job.which);
//     f.optional("limit", job.limit);          // may be absent when read
//     f.sparse("seed", job.seed);              // left out where there is nothing in it
//     f("seconds", job.end - job.begin);       // a computed or const value: never read
//     f.group("device", [&] { f("uuid", job.uuid); });  // an object inside
//   }
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace hone::base {

// Any JSON as its text: what only passes through, and another program understands.
struct RawJson {
  std::string text = "null";
};

// Null for what stands for nothing ("", 0), and for numbers that JSON has not.
template <typename T>
std::optional<T> or_null(const T& value) {
  return value == T{} ? std::nullopt : std::optional<T>(value);
}
inline std::optional<double> finite_or_null(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// What a description is used for; each use has one implementation (base/json.cc and
// base/json_schema.cc). It stands at one value of a document, whose parts are entered and left.
class FieldVisitor {
 public:
  enum class Use : std::uint8_t { write, read, schema };
  enum class ListKind : std::uint8_t { same, row };  // items of one type, or each of its own
  struct Field {
    std::string_view name, about;
    bool is_read = true;  // false: it is written only
    bool needed = true;   // a document without it is refused
  };
  using Scalar =
      std::variant<bool*, std::int64_t*, std::uint64_t*, double*, std::string*, RawJson*>;

  virtual ~FieldVisitor() = default;
  virtual Use use() const = 0;
  virtual void object() = 0;  // that the value at hand is one, though nothing may be in it
  virtual bool enter(const Field& field) = 0;  // false: it is not there, or not of interest
  virtual bool enter(std::size_t item) = 0;
  virtual void leave() = 0;
  virtual std::size_t list(std::size_t size, ListKind kind) = 0;  // the number of items
  virtual std::vector<std::string> names() = 0;  // of the fields of an object that is read
  virtual bool null(bool is_null) = 0;           // whether the value at hand is null
  virtual void scalar(Scalar value) = 0;
  virtual void one_of(const std::vector<std::string_view>& words) = 0;  // what the text may be
  [[noreturn]] virtual void refuse(const std::string& why) const = 0;   // "is no number"
};

class Fields;
void describe(Fields& fields, const Error& error);  // {"code": 3, "kind": "bad_input", ...}

class Fields {
 public:
  explicit Fields(FieldVisitor& visitor) : at_(visitor) {}
  bool reading() const { return at_.use() == FieldVisitor::Use::read; }

  template <typename T>
  Fields& operator()(std::string_view name, T&& field, std::string_view about = {}) {
    return visit({name, about, is_read<T>, true}, field);
  }
  template <typename T>
  Fields& optional(std::string_view name, T&& field, std::string_view about = {}) {
    return visit({name, about, is_read<T>, false}, field);
  }
  template <typename T>
  Fields& sparse(std::string_view name, T&& field, std::string_view about = {}) {
    const bool wanted = at_.use() != FieldVisitor::Use::write || !is_nothing(field);
    return wanted ? visit({name, about, is_read<T>, false}, field) : *this;
  }
  // Of what cannot be trusted to keep to the format: what does not fit is passed over.
  template <typename T>
  Fields& lenient(std::string_view name, T& field) {
    const T before = field;
    try {
      optional(name, field);
    } catch (const Error&) {
      field = before;
    }
    return *this;
  }
  // A number that JSON has: infinities, NaN and null are refused where it is read.
  void finite(std::string_view name, double& number);
  template <typename Body>
  void group(std::string_view name, Body&& body) {
    auto fields = [&](Fields&) { body(); };
    visit({name, {}, true, true}, fields);
  }
  // Each item as `each` describes it.
  template <typename List, typename Each>
  void list(std::string_view name, List&& items, Each&& each) {
    auto all = [&](Fields&) { this->items(items, each); };
    visit({name, {}, is_read<List>, true}, all);
  }

  // ---- the value at hand, in descriptions of what is no object

  template <typename... T>
  void row(T&&... items) {
    std::size_t index = 0;
    if (at_.list(sizeof...(T), FieldVisitor::ListKind::row) < sizeof...(T))
      at_.refuse("has fewer entries than " + std::to_string(sizeof...(T)));
    (item(index++, items), ...);
  }
  template <typename List, typename Each>
  void items(List& items, Each&& each);
  // An enumeration by its name_of(); its values go from 0 to `last`.
  template <typename Enum>
  void word(Enum& value, std::string_view what, Enum last);
  // A struct of one of several types, whose word stands in the field `name`.
  template <typename... Types>
  void choice(std::string_view name, std::variant<Types...>& value, std::string_view what,
              const std::vector<std::string_view>& words);
  template <typename T>
  void value(T& value);
  std::vector<std::string> names() const { return at_.names(); }  // of an object that is read

 private:
  // Leaves what was entered, also where what is read there is refused.
  struct Entered {
    FieldVisitor& at;
    ~Entered() { at.leave(); }
  };
  template <typename T>
  static constexpr bool is_read =
      std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;

  template <typename T>
  static bool is_nothing(const T& value);
  template <typename T>
  Fields& visit(const FieldVisitor::Field& field, T& value) {
    if (!at_.enter(field)) return *this;
    const Entered entered{at_};
    this->value(value);
    return *this;
  }
  template <typename T>
  void item(std::size_t index, T& value) {
    if (!at_.enter(index)) return;
    const Entered entered{at_};
    this->value(value);
  }
  template <typename Map>
  void map_value(Map& map);
  template <typename T>
  void scalar(T& value);
  template <std::size_t I = 0, typename Variant>
  static void emplace(Variant& value, std::size_t index);

  FieldVisitor& at_;
};

}  // namespace hone::base

#include "base/fields_values.h"
