#include "base/words.h"

#include <gtest/gtest.h>

namespace hone::base {
namespace {

TEST(Words, OneIsOneAndOthersAreMany) {
  EXPECT_EQ(counted(1, "candidate"), "1 candidate");
  EXPECT_EQ(counted(0, "candidate"), "0 candidates");
  EXPECT_EQ(counted(15, "process"), "15 processes");
  EXPECT_EQ(counted(2, "launch"), "2 launches");
}

TEST(Words, TextsThatReadTheSameAreTheSame) {
  EXPECT_EQ(normalized("Copies are\n  quicker. "), normalized("copies are quicker"));
  EXPECT_NE(normalized("copies are quicker"), normalized("copies are not quicker"));
}

}  // namespace
}  // namespace hone::base
