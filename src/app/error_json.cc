#include "app/error_json.h"

#include "base/json.h"

namespace hone::app {

std::string error_json(const base::Error& error) {
  return base::json_text([&](base::Fields& f) { f("error", error); });
}

}  // namespace hone::app
