#pragma once
// TOML rewritten in ASCII, with the way back to every character's place. toml++ 3.3 has undefined
// behaviour for characters outside ASCII wherever it asks whether they are blanks, and no limit on
// the parts of a key; so it is given neither.
#include <string>
#include <string_view>
#include <vector>

namespace hone::task {

struct AsciiToml {
  std::string text;  // escapes in strings, question marks in comments; as many lines as before
  std::vector<std::size_t>
      origin;                  // for each character of it, and for its end: where in the original
  std::string problem;         // why it cannot be rewritten; "" if it can
  std::size_t problem_at = 0;  // in the original
};

AsciiToml to_ascii(std::string_view toml);

}  // namespace hone::task
