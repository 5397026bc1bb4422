#pragma once
// JSON of structs that describe themselves (base/fields.h): written, read, and as a schema. Keys
// are sorted. JSON has no infinities and no NaN: they are the words "inf", "-inf" and "nan". What
// is not UTF-8 is replaced. What is read may come from a stranger: it is refused with a sentence
// that names the field. Where one name stands twice, the last one counts. Pure functions; any
// thread.
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/fields.h"
#include "base/result.h"

namespace hone::base {

using Description = std::function<void(Fields&)>;
enum class KeyOrder : std::uint8_t { sorted, as_described };

constexpr int in_one_line = -1;  // as an indentation: no line breaks, and no spaces
std::string write_json(const Description& value, int indent, KeyOrder order = KeyOrder::sorted);
// Throws Error (bad_input).
void read_json(std::string_view text, const Description& value);
std::string write_schema(const Description& value);

template <typename T>
Description description_of(T& value) {
  return [&value](Fields& fields) { fields.value(value); };
}

// In one line, without its end. A function that takes Fields& will do for a struct.
template <typename T>
std::string json_line(const T& value) {
  return write_json(description_of(value), in_one_line);
}
// For people's and programs' eyes, with a line end.
template <typename T>
std::string json_text(const T& value, int indent = 2) {
  return write_json(description_of(value), indent) + "\n";
}

// What the text says, or why it cannot be read, as a sentence without a full stop.
template <typename T>
Result<T> from_json(std::string_view text) {
  T value{};
  try {
    read_json(text, description_of(value));
  } catch (const Error& error) {
    return Failure{std::string(error.what())};
  }
  return value;
}

// JSON Schema of what json_text() writes.
template <typename T>
std::string json_schema() {
  T value{};
  return write_schema(description_of(value));
}

bool is_json(std::string_view text);
bool is_json_object(std::string_view text);
// A text in a field of an object; "" where there is none, or no such object.
std::string text_field(std::string_view text, std::string_view name);
// ISO 8601 in UTC: "2025-03-01T14:05:09.123Z".
std::string json_time(std::chrono::sys_time<std::chrono::milliseconds> when);
// A text that may hold anything, made UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace hone::base
