#include "core/source_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace hone::core {
namespace {

TEST(SourceLines, AreCountedFromBehindAPlanThatWasPutInFront) {
  const std::string own = "int first;\nint second;\n";
  EXPECT_EQ(counted_text(own), own);
  EXPECT_EQ(counted_text("/* hone 1\n*/\n" + std::string(line_restart) + own), own);
  EXPECT_EQ(counted_text(line_restart), "");
}

TEST(SourceLines, OfAFileWithOtherCodeBehindItAreItsOwn) {
  EXPECT_EQ(without_line_restart("/* hone 1\n*/\n" + std::string(line_restart) + "int own;\n"),
            "/* hone 1\n*/\nint own;\n");
  EXPECT_EQ(without_line_restart("int own;\n"), "int own;\n");
}

TEST(SourceLines, OfAnyOtherTextAreCountedFromItsBeginning) {
  for (const std::string source : {"#line 1\nint first;\n", "#line 1 \"a.h\"\nint first;\n"})
    EXPECT_EQ(counted_text(source), source);
  const std::string quoted = "// " + std::string(line_restart);
  EXPECT_EQ(counted_text(quoted), quoted);
}

}  // namespace
}  // namespace hone::core
