#pragma once
// For tests only: looks values up in a JSON text, so that a test can say what a program or a user
// reads there. What is not there, or is of another kind, throws and so fails the test. Values; any
// thread.
#include <concepts>
#include <ostream>

#include "base/json.h"

namespace hone::base {

class JsonProbe {
 public:
  JsonProbe() = default;  // null
  explicit JsonProbe(std::string_view text) { read_json(text, description_of(json_)); }
  JsonProbe operator[](const std::string& name) const { return JsonProbe(object().at(name).text); }
  JsonProbe operator[](std::size_t item) const { return items().at(item); }
  bool contains(const std::string& name) const {
    return kind() == "object" && object().contains(name);
  }
  std::string_view kind() const {
    switch (json_.text.front()) {
      case '{':
        return "object";
      case '[':
        return "array";
      case '"':
        return "string";
      case 'n':
        return "null";
      default:
        return json_.text == "true" || json_.text == "false" ? "boolean" : "number";
    }
  }
  std::size_t size() const { return kind() == "object" ? object().size() : items().size(); }
  bool empty() const { return size() == 0; }
  double number() const { return as<double>(); }
  std::string text() const { return as<std::string>(); }
  operator std::string() const { return text(); }
  explicit operator bool() const { return as<bool>(); }
  std::vector<JsonProbe> items() const {
    std::vector<JsonProbe> items;
    for (const auto& item : as<std::vector<RawJson>>()) items.emplace_back(item.text);
    return items;
  }
  std::string dump() const { return json_.text; }  // in one line, keys sorted
  std::map<std::string, RawJson> object() const { return as<std::map<std::string, RawJson>>(); }

 private:
  template <typename T>
  T as() const {
    T value{};
    read_json(json_.text, description_of(value));
    return value;
  }

  RawJson json_;
};

// What is written of a struct.
template <typename T>
JsonProbe probe(const T& value) {
  return JsonProbe(json_line(value));
}

// By value, as JSON has it: 3 is 3.0.
template <typename T>
bool operator==(const JsonProbe& probe, const T& value) {
  if constexpr (std::same_as<T, JsonProbe>)
    return probe.dump() == value.dump();
  else if constexpr (std::same_as<T, std::nullptr_t>)
    return probe.kind() == "null";
  else if (probe.kind() == "null")
    return false;
  else if constexpr (std::same_as<T, bool>)
    return static_cast<bool>(probe) == value;
  else if constexpr (std::is_arithmetic_v<T>)
    return probe.number() == static_cast<double>(value);
  else
    return probe.text() == std::string_view(value);
}

inline std::ostream& operator<<(std::ostream& out, const JsonProbe& probe) {
  return out << probe.dump();
}

}  // namespace hone::base
