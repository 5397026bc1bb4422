#include "runner/loader_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.h"

namespace hone::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LoaderFolders : public ::testing::Test {
 protected:
  ~LoaderFolders() override {
    for (const char* name :
         {"LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "CUDA_HOME", "CUDA_PATH"})
      ::unsetenv(name);
  }
  base::TemporaryFolder folder_{"hone-loader"};
};

TEST_F(LoaderFolders, AreThoseThatTheEnvironmentNamesOutsideTheSystem) {
  const std::string mine = folder_.path();
  ::setenv("LD_LIBRARY_PATH", ("/usr/lib:" + mine + ":relative:/nowhere/at/all:" + mine).c_str(),
           1);
  ::setenv("OCL_ICD_VENDORS", mine.c_str(), 1);
  EXPECT_THAT(loader_folders(), ElementsAre(mine));
}

TEST_F(LoaderFolders, NeverUncoverAHomeOrTheScratchFolder) {
  ::setenv("LD_LIBRARY_PATH", "/:/tmp", 1);
  EXPECT_THAT(loader_folders(), IsEmpty());
  const std::string home = base::home_folder();
  ::setenv("CUDA_HOME", home.c_str(), 1);
  ::setenv("CUDA_PATH", std::filesystem::path(home).parent_path().c_str(), 1);
  EXPECT_THAT(loader_folders(), IsEmpty());
}

}  // namespace
}  // namespace hone::runner
