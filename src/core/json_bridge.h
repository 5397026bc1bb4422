#pragma once
// While modules move from the JSON library to descriptions: the one by way of the other.
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace hone::core {

template <typename T>
nlohmann::json bridged(const T& value) {
  return nlohmann::json::parse(base::json_line(value));
}

template <typename T>
T bridged_from(const nlohmann::json& value) {
  T read{};
  base::read_json(value.dump(), base::description_of(read));
  return read;
}

}  // namespace hone::core
