#pragma once
// How plain values look in a text column: small JSON, which other programs can read too.
#include <map>
#include <string>
#include <vector>

#include "core/evaluation.h"

namespace hone::store {

// What is not UTF-8 is replaced (the identity is computed from the names themselves).
std::string encode(const core::Point& point);                  // {"BLOCK":256}
std::string encode(const std::map<std::string, double>& map);  // {"f32":1e9}
std::string encode(const std::vector<int>& lines);             // [12,13]
std::string encode(const std::vector<std::string>& names);     // ["small","prime"]
// Throw Error if the archive holds something else.
core::Point decode_point(const std::string& text);
std::map<std::string, double> decode_numbers(const std::string& text);
std::vector<int> decode_lines(const std::string& text);
std::vector<std::string> decode_names(const std::string& text);

// The hash over a whole key: equal for evaluations that measured the same thing. 32 bytes.
std::vector<unsigned char> identity_of(const core::EvaluationKey& key);

}  // namespace hone::store
