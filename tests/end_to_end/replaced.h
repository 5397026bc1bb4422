#pragma once
// A text with its first `what` replaced; a test fails where there is none.
#include <gtest/gtest.h>

#include <string>

namespace hone::end_to_end {

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace hone::end_to_end
