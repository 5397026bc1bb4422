#pragma once
// A value that may be missing, as JSON: null where it is. See core/json.h.
#include <nlohmann/json.hpp>
#include <optional>

namespace hone::core {

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace hone::core
