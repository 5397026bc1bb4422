#include "profile/source_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/source_lines.h"

namespace hone::profile {
namespace {

using testing::ElementsAre;

constexpr const char* source = R"(/* for (;;) */
#define STEP for (int k = 0; k < 4; ++k) \
  x += k;
__kernel void f(__global float* x, int n) {
  for (int i = 0; i < n; i += 4) {  // while (1)
    for (int j = 0; j < 4; ++j) if (x[i]) x[i] = 1; else x[i] = 2;
  }
  while (n > 0)
    n -= 1;
  do { n += 1; } while (n < 3);
}
)";

TEST(SourceLoops, AreFoundInCodeAlone) {
  std::vector<int> lines;
  for (const auto& loop : source_loops(source)) lines.push_back(loop.line);
  EXPECT_THAT(lines, ElementsAre(5, 6, 8));
  const auto loops = source_loops(source);
  EXPECT_TRUE(loops[0].holds(loops[1]));
  EXPECT_FALSE(loops[0].holds(loops[2]));
}

TEST(SourceLoops, HaveTheNumbersThatTheCompilerCounts) {
  const auto loops = source_loops("/* hone 1\n*/\n" + std::string(core::line_restart) +
                                  "void f() {\n  for (;;) x();\n}\n");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].line, 2);
}

TEST(SourceLoops, ATrapStandsFirstInTheBodyAndMovesNoLine) {
  const auto loops = source_loops(source);
  const std::string all = with_traps(source, loops);
  EXPECT_THAT(all, testing::HasSubstr("i += 4) { __builtin_trap();"));
  EXPECT_THAT(all, testing::HasSubstr(
                       "++j) { __builtin_trap(); if (x[i]) x[i] = 1; else x[i] = 2; }\n  }"));
  EXPECT_THAT(all, testing::HasSubstr("while (n > 0)\n    { __builtin_trap(); n -= 1; }"));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'),
            std::count(source, source + std::string(source).size(), '\n'));
  EXPECT_EQ(with_traps(source, {}), source);
}

TEST(SourceLoops, MarksStandInKernelsAlone) {
  const std::string text =
      "float help(int n) { float s = 0; for (int i = 0; i < n; ++i) s += i; return s; }\n"
      "__kernel __attribute__((vec_type_hint(float))) void f(__global float* x, int n) {\n  while "
      "(n > 0) --n;\n}\n"
      "__kernel void g() {}\n";
  const auto marked = with_marks(text, {"f", "g", "absent"});
  ASSERT_EQ(marked.loops.size(), 1u);
  EXPECT_EQ(marked.loops[0].line, 3);
  EXPECT_THAT(
      marked.text,
      testing::HasSubstr("f(__global float* x, int n, __global volatile int* hone_marks) {\n"));
  EXPECT_THAT(marked.text, testing::HasSubstr("void g(__global volatile int* hone_marks) {}"));
  EXPECT_THAT(marked.text,
              testing::HasSubstr("while (n > 0) { hone_marks[0] = 1213156933; --n; }"));
}

TEST(SourceLoops, WhatIsNotClosedIsNone) {
  EXPECT_TRUE(source_loops("for (int i = 0; i < 3; ++i) {").empty());
  EXPECT_TRUE(source_loops("for (").empty());
  EXPECT_TRUE(source_loops("while (1)").empty());
  EXPECT_TRUE(source_loops("\"for (;;) {}").empty());
}

}  // namespace
}  // namespace hone::profile
