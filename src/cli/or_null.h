#pragma once
#include <nlohmann/json.hpp>
#include <optional>

namespace hone::cli {

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace hone::cli
