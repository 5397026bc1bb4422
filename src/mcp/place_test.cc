#include "mcp/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"

namespace hone::mcp {
namespace {

namespace fs = std::filesystem;

struct PlaceTest : testing::Test {
  base::TemporaryFolder folder{"hone-mcp-place"};
  Place place;

  PlaceTest() {
    base::make_folder(folder.path() / "project/tasks/copy");
    base::make_folder(folder.path() / "outside");
    base::write_file_atomically(folder.path() / "outside/secret.cl", "secret");
    base::write_file_atomically(folder.path() / "project/k.cl", "kernel");
    place = place_at(folder.path() / "project");
  }
  fs::path project() const { return place.folder; }
  std::string refusal(const std::string& path) const {
    try {
      return "accepted as " + inside(place, path, "file");
    } catch (const base::Error& error) {
      return error.what();
    }
  }
};

TEST_F(PlaceTest, TakesPathsInsideAndSeesThemFromItsFolder) {
  EXPECT_EQ(inside(place, "k.cl", "file"), "k.cl");
  EXPECT_EQ(inside(place, "tasks/../k.cl", "file"), "k.cl");
  EXPECT_EQ(inside(place, project() / "k.cl", "file"), "k.cl");
  EXPECT_EQ(inside(place, "not/yet/there.cl", "file"), "not/yet/there.cl");
  EXPECT_EQ(task_inside(place, "kernelbench:level1/23"), "kernelbench:level1/23");
  EXPECT_EQ(file_and_function_inside(place, "k.py:run", "from"), "k.py:run");
}

TEST_F(PlaceTest, RefusesPathsOutside) {
  for (const char* path : {"..", "../outside/secret.cl", "/etc/passwd", "tasks/../../outside"})
    EXPECT_THAT(refusal(path), testing::HasSubstr("outside of")) << path;
  EXPECT_THROW(task_inside(place, "gpumode:/etc"), base::Error);
  EXPECT_THROW(file_and_function_inside(place, "../x.py:run", "from"), base::Error);
}

TEST_F(PlaceTest, RefusesLinksThatLeadOutside) {
  fs::create_symlink(folder.path() / "outside", project() / "link");
  fs::create_symlink(folder.path() / "outside/secret.cl", project() / "k2.cl");
  fs::create_symlink("../../../outside/secret.cl", project() / "tasks/copy/reference.cc");
  for (const char* path : {"link", "link/secret.cl", "link/new.cl", "k2.cl", "tasks/copy", "tasks"})
    EXPECT_THAT(refusal(path), testing::HasSubstr("outside of")) << path;
  EXPECT_EQ(listed_inside(place, ".", "folder"), ".");
}

TEST_F(PlaceTest, TakesLinksThatStayInside) {
  fs::create_symlink("k.cl", project() / "same.cl");
  EXPECT_EQ(inside(place, "same.cl", "file"), "k.cl");
}

TEST_F(PlaceTest, RefusesWhatIsNoPathOrHidden) {
  EXPECT_THAT(refusal(""), testing::HasSubstr("is empty"));
  EXPECT_THAT(refusal(std::string(5000, 'x')), testing::HasSubstr("no path"));
  EXPECT_THAT(refusal(std::string("a\0b", 3)), testing::HasSubstr("no path"));
  EXPECT_THAT(refusal("gpumode:/etc"), testing::HasSubstr("colon"));
  EXPECT_THAT(refusal(".hone/resources/python/worker.py"), testing::HasSubstr("hidden"));
  EXPECT_THAT(refusal("tasks/.git"), testing::HasSubstr("hidden"));
}

TEST_F(PlaceTest, OfAFolderThatIsNotThereIsRefused) {
  EXPECT_THROW(place_at(folder.path() / "none"), base::Error);
}

}  // namespace
}  // namespace hone::mcp
