#include "app/config.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/fields.h"

namespace hone::app {
namespace {

constexpr double largest_whole = 1e15;  // up to here a double holds every whole number

// A count is written as one: 100, not 100.0.
struct Number {
  double value = 0.5;  // of the schema: any number, and not only a whole one
};

void describe(base::Fields& f, Number& number) {
  const bool is_whole =
      number.value == std::floor(number.value) && std::abs(number.value) < largest_whole;
  auto whole = is_whole ? static_cast<std::int64_t>(number.value) : 0;
  is_whole ? f.value(whole) : f.value(number.value);
}

template <typename Value>
struct Shown {
  Value value;
  std::string from;
};

template <typename Value>
void describe(base::Fields& f, Shown<Value>& shown) {
  f("value", shown.value)("from", shown.from);
}

}  // namespace

ConfigResult config(const std::filesystem::path& current) { return {settings_in_force(current)}; }

void describe(base::Fields& f, const ConfigResult& result) {
  const auto& kinds = setting_kinds();
  f.group("settings", [&] {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const auto [text, from] = i < result.settings.size() ? result.settings[i] : Setting{};
      std::optional<Shown<std::string>> words;
      std::optional<Shown<Number>> number;
      if (!text.empty() && kinds[i].is_number)
        number = {Number{std::strtod(text.c_str(), nullptr)}, from};
      else if (!text.empty())
        words = {text, from};
      kinds[i].is_number ? f.sparse(kinds[i].key, number) : f.sparse(kinds[i].key, words);
    }
  });
}

}  // namespace hone::app
