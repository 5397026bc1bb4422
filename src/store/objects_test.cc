#include "store/objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"

namespace hone::store {
namespace {

using ::testing::HasSubstr;

struct ObjectsInAFolder : ::testing::Test {
  base::TemporaryFolder folder{"hone-store-test"};
  Objects objects{folder.path() / "objects"};

  std::string error_of_getting(const std::string& hash) {
    try {
      objects.get(hash);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::archive);
      return error.what();
    }
    ADD_FAILURE() << "no Error";
    return "";
  }
  void damage(const std::string& hash) {
    std::ofstream(objects.path_of(hash), std::ios::app) << "!";
  }
};

TEST_F(ObjectsInAFolder, AreNamedByTheirContent) {
  const std::string contents("some\0thing", 10);
  const std::string hash = objects.put(contents);
  EXPECT_EQ(hash, base::sha256_hex(contents));
  EXPECT_EQ(objects.put(contents), hash);
  EXPECT_EQ(objects.get(hash), contents);
  EXPECT_EQ(objects.path_of(hash), folder.path() / "objects" / hash.substr(0, 2) / hash.substr(2));
}

TEST_F(ObjectsInAFolder, AreNoticedWhenDamagedOrMissing) {
  const std::string hash = objects.put("contents");
  damage(hash);
  EXPECT_THAT(error_of_getting(hash), HasSubstr("damaged"));
  std::filesystem::remove(objects.path_of(hash));
  EXPECT_THAT(error_of_getting(hash), HasSubstr("missing"));
}

TEST_F(ObjectsInAFolder, AreMendedWhenPutAgain) {
  const std::string hash = objects.put("contents");
  damage(hash);
  objects.put("contents");
  EXPECT_EQ(objects.get(hash), "contents");
}

TEST_F(ObjectsInAFolder, HoldOnlyLargeTexts) {
  const StoredText small = objects.keep("small"),
                   large = objects.keep(std::string(largest_inline_text + 1, 'x'));
  EXPECT_EQ(small.text, "small");
  EXPECT_FALSE(small.object);
  EXPECT_FALSE(large.text);
  EXPECT_TRUE(large.object);
  EXPECT_EQ(objects.fetch(small), "small");
  EXPECT_EQ(objects.fetch(large).size(), largest_inline_text + 1);
}

}  // namespace
}  // namespace hone::store
