#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

TEST(Resources, AreExportedAndUsedInsteadOfTheBuiltInOnes) {
  const Hone hone;
  const std::string folder = hone.folder() / "mine";
  ASSERT_EQ(hone.run({"resources", "export", folder}).code, 0);
  base::write_file_atomically(folder + "/export/opencl_makefile", "# mine: @function@\n");
  const auto finished =
      hone.run({"--resources", folder, "export", HONE_EXAMPLES "/softmax/seed.cl", "--task",
                HONE_EXAMPLES "/softmax", "--out", hone.folder() / "x"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(base::read_file(hone.folder() / "x/Makefile"), "# mine: softmax\n");
}

TEST(Resources, RefuseAFolderThatIsNotThere) {
  const Hone hone;
  const auto finished = hone.run({"--resources", "/nowhere", "log"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, testing::HasSubstr("hone resources export"));
}

}  // namespace
}  // namespace hone::end_to_end
