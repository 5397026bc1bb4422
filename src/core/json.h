#pragma once
// What the JSON codecs of the plain structs share. Each struct that leaves the process has one
// codec, beside the struct: to_json() and a function NAME_from(). The command line's --json, the
// archive and the jobs that travel to other machines all use it. What is read may come from a
// stranger: the NAME_from() functions throw Error (bad_input) or an exception of the JSON library,
// which their callers turn into a sentence.
#include <chrono>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hone::core {

// JSON has no infinities and no NaN: they are the words "inf", "-inf" and "nan".
nlohmann::json number(double value);
double number_from(const nlohmann::json& value);
nlohmann::json numbers(const std::map<std::string, double>& map);
std::map<std::string, double> numbers_from(const nlohmann::json& object);

// The value of a word ("accepted") that `parsed` came of.
template <typename T>
T known(const std::optional<T>& parsed, std::string_view word, std::string_view what) {
  if (!parsed)
    base::fail(base::ExitCode::bad_input, "it names the {} '{}', which this hone does not know",
               what, word);
  return *parsed;
}

// For people's and programs' eyes: two spaces of indentation and a line end. What is not UTF-8 is
// replaced.
std::string json_text(const nlohmann::json& json);
std::string json_line(const nlohmann::json& json);  // the same in one line, without its end

// ISO 8601 in UTC: "2025-03-01T14:05:09.123Z".
std::string json_time(std::chrono::sys_time<std::chrono::milliseconds> when);

}  // namespace hone::core
