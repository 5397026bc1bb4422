#include "app/error_json.h"

#include <nlohmann/json.hpp>

namespace hone::app {

nlohmann::json to_json(const base::Error& error) {
  return {{"code", static_cast<int>(error.code())},
          {"kind", base::name_of(error.code())},
          {"message", error.what()}};
}

}  // namespace hone::app
