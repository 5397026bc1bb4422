#pragma once
// From MODEL@BASE_URL?OPTIONS and the environment to whom to ask. Keys come from the environment
// and from nowhere else.
#include <string>
#include <string_view>

#include "llm/wire.h"

namespace hone::llm {

// A provider with a wire format of its own; any server that speaks it is asked with @BASE_URL.
struct Provider {
  std::string_view scheme;
  const Wire& wire;
  std::string_view base;  // where its own service is
  const char* key_variable;
  const char* base_variable;
  std::string_view path;         // of the questions, below the version
  bool version_in_base = false;  // whether a base URL with a path already holds the version
};
extern const Provider openai_provider, anthropic_provider;

// Throws Error (usage).
Endpoint endpoint_of(const Provider& provider, const std::string& rest);

}  // namespace hone::llm
