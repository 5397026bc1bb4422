#pragma once
// A worker's answer as it came over the wire. It stands apart from connection.h so that only files
// that read answers include the JSON library. Plain data.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

struct Answer {
  nlohmann::json body;
  std::vector<base::Fd> fds;
};

// A worker may be hostile, so that a field may be absent or of any type: "?" and -1 then.
inline std::string text_in(const nlohmann::json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "?";
}
inline int number_in(const nlohmann::json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && found->is_number_integer() ? found->get<int>() : -1;
}

}  // namespace hone::runner
