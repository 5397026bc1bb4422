#pragma once
// For tests only: looks values up in a JSON text, so that a test can say what a program or a user
// would read there. What is not there fails the test with an exception. Values; any thread.
#include <concepts>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hone::base {

class JsonProbe {
 public:
  JsonProbe();                                // null
  explicit JsonProbe(std::string_view text);  // throws where it is not JSON
  JsonProbe operator[](std::string_view name) const;
  JsonProbe operator[](std::size_t item) const;
  bool contains(std::string_view name) const;
  bool is_null() const;
  bool is_text() const;
  bool is_list() const;
  bool is_object() const;
  std::size_t size() const;  // of a list or an object
  std::string text() const;
  double number() const;
  bool truth() const;
  std::vector<JsonProbe> items() const;    // of a list; the values of an object
  std::vector<std::string> names() const;  // of an object
  std::string dump() const;                // in one line, keys sorted

 private:
  std::shared_ptr<const void> document_;
  const void* at_;
};

// By value, as JSON has it: 3 is 3.0.
template <typename T>
bool operator==(const JsonProbe& probe, const T& value) {
  if constexpr (std::same_as<T, JsonProbe>)
    return probe.dump() == value.dump();
  else if constexpr (std::same_as<T, std::nullptr_t>)
    return probe.is_null();
  else if constexpr (std::same_as<T, bool>)
    return probe.truth() == value;
  else if constexpr (std::is_arithmetic_v<T>)
    return probe.number() == static_cast<double>(value);
  else
    return probe.text() == std::string_view(value);
}

void PrintTo(const JsonProbe& probe, std::ostream* out);  // how GoogleTest shows it

}  // namespace hone::base
