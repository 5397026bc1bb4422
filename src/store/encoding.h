#pragma once
// How plain values look in a text column: small JSON, which other programs can read too.
#include <string>
#include <vector>

#include "base/json.h"
#include "core/evaluation.h"

namespace hone::store {

// {"BLOCK":256}, {"f32":1e9}, ["small","prime"]. What is not UTF-8 is replaced (the identity is
// computed from the names themselves).
template <typename T>
std::string encode(const T& value) {
  return base::json_line(value);
}
void read_encoded(const std::string& text, const base::Description& value);
// Throws Error if the archive holds something else.
template <typename T>
void decode(const std::string& text, T& value) {
  read_encoded(text, base::description_of(value));
}

// The hash over a whole key: equal for evaluations that measured the same thing. 32 bytes.
std::vector<unsigned char> identity_of(const core::EvaluationKey& key);

}  // namespace hone::store
