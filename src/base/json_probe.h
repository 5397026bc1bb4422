#pragma once
// For tests only: looks values up in a JSON text, so that a test can say what a program or a user
// reads there. What is not there, or is of another kind, throws and so fails the test. Values; any
// thread.
#include <concepts>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace hone::base {

class JsonProbe {
 public:
  JsonProbe() : JsonProbe("null") {}
  explicit JsonProbe(std::string_view text);
  JsonProbe operator[](std::string_view name) const;
  JsonProbe operator[](std::size_t item) const;
  bool contains(std::string_view name) const;
  std::string_view kind() const;  // "null", "boolean", "number", "string", "array", "object"
  std::size_t size() const;       // of a list or an object
  bool empty() const { return size() == 0; }
  double number() const;
  std::string text() const;
  operator std::string() const { return text(); }
  explicit operator bool() const;
  std::vector<JsonProbe> items() const;    // of a list; the values of an object
  std::vector<std::string> names() const;  // of an object
  std::string dump() const;                // in one line, keys sorted

 private:
  std::shared_ptr<const void> document_;
  const void* at_;
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

std::ostream& operator<<(std::ostream& out, const JsonProbe& probe);

}  // namespace hone::base
