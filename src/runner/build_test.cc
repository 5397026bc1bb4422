// Builds and their cache, with a compiler that says what a test tells it to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "runner/build_request.h"
#include "runner/runner.h"
#include "runner/test_worker.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

constexpr double long_enough = 60;

struct Builds : testing::Test {
  base::TemporaryFolder home{"hone-builds"};
  core::DeviceInfo info;
  device::BuildRequest request{core::Language::fake, "", "sm_90a", "source", "seed.cu", {}};

  void SetUp() override { ::setenv("HONE_HOME", home.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("HONE_HOME"); }

  // The compiler's script is no part of an entry's name: the device's id is not.
  base::Result<Built, Fault> built(const ScriptedAnswer& answer, double seconds = long_enough) {
    info.language = core::Language::fake;
    info.id = script_text({{"build", {answer}}});
    return build(request, info, seconds);
  }
  std::vector<fs::path> images() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(home.path()))
      if (entry.path().filename() == "image") found.push_back(entry.path());
    return found;
  }
};

ScriptedAnswer compiled(const std::string& image, const std::string& log = "") {
  return {.says = {R"({"built":true,"forbidden":[],"traits":["wgmma"]})"}, .files = {image, log}};
}

TEST_F(Builds, AreKeptAndTakenFromTheCache) {
  const auto fresh = built(compiled("image one", "a warning"));
  ASSERT_TRUE(fresh) << fresh.error().text;
  EXPECT_FALSE(fresh->cached);
  const auto again = built(compiled("image two"));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  EXPECT_TRUE(again->result.ok);
  EXPECT_EQ(again->result.image, "image one");
  EXPECT_EQ(again->result.log, "a warning");
  EXPECT_THAT(again->result.traits, ElementsAre("wgmma"));
}

TEST_F(Builds, WhateverGoesIntoABuildMakesItAnother) {
  using Change = std::function<void(device::BuildRequest&, core::DeviceInfo&)>;
  const std::pair<const char*, Change> changes[] = {
      {"source", [](auto& r, auto&) { r.source += " "; }},
      {"name", [](auto& r, auto&) { r.name = "other.cu"; }},
      {"arch", [](auto& r, auto&) { r.arch = "sm_80"; }},
      {"a define",
       [](auto& r, auto&) {
         r.defines = {{"BLOCK", "256"}};
       }},
      {"its value",
       [](auto& r, auto&) {
         r.defines = {{"BLOCK", "512"}};
       }},
      {"lines", [](auto& r, auto&) { r.line_info = true; }},
      {"disturbed", [](auto& r, auto&) { r.disturb = 7; }},
      {"language", [](auto& r, auto&) { r.language = core::Language::opencl; }},
      {"compiler", [](auto&, auto& i) { i.compiler = "13.1"; }},
      {"driver", [](auto&, auto& i) { i.driver = "580"; }},
      {"device", [](auto&, auto& i) { i.uuid = "another"; }}};
  ASSERT_TRUE(built(compiled("plain")));
  const auto request_before = request;
  for (const auto& [what, change] : changes) {
    request = request_before;
    info = {};
    change(request, info);
    const auto one = built(compiled(what));
    ASSERT_TRUE(one) << what;
    EXPECT_FALSE(one->cached) << what;
    EXPECT_EQ(built(compiled("unused"))->result.image, what);
  }
}

TEST_F(Builds, ADamagedEntryIsBuiltAgain) {
  ASSERT_TRUE(built(compiled("image one")));
  ASSERT_EQ(images().size(), 1u);
  base::write_file_atomically(images()[0], "image 0ne");
  EXPECT_EQ(built(compiled("image two"))->result.image, "image two");
  EXPECT_EQ(built(compiled("unused"))->result.image, "image two") << "which took its place";
  base::write_file_atomically(images()[0].parent_path() / "meta.json", "{\"image\":");
  EXPECT_EQ(built(compiled("image three"))->result.image, "image three");
}

TEST_F(Builds, AFailedOneIsNotKept) {
  const auto failed = built({.says = {R"({"built":false})"}, .files = {"", "seed.cu:3: error"}});
  ASSERT_TRUE(failed);
  EXPECT_FALSE(failed->result.ok);
  EXPECT_EQ(failed->result.log, "seed.cu:3: error");
  EXPECT_TRUE(images().empty());
}

TEST_F(Builds, ACompilerThatDoesNotFinishOrAnswersNonsenseIsTheCandidatesFault) {
  const std::pair<ScriptedAnswer, const char*> cases[] = {
      {{.says = {"nonsense"}, .files = {"image", "log"}}, "makes no sense"},
      {{.says = {R"({"built":true})"}, .files = {"image"}}, "makes no sense"},
      {{.says = {R"({"built":"yes"})"}, .files = {"image", "log"}}, "makes no sense"},
      {{.does = "crash"}, "the compiler was killed by SIGSEGV"},
      {{.does = "end"}, "the compiler "}};
  for (const auto& [answer, told] : cases) {
    const auto one = built(answer);
    ASSERT_FALSE(one) << told;
    EXPECT_EQ(one.error().outcome, core::Outcome::build_failed);
    EXPECT_THAT(one.error().text, HasSubstr(told));
  }
  EXPECT_THAT(built({.says = {}}, 0.02).error().text, HasSubstr("did not finish within 0.02 s"));
  EXPECT_TRUE(images().empty());
}

TEST_F(Builds, AMissingCompilerIsNoFaultOfTheCandidate) {
  EXPECT_THAT([&] { (void)built({.says = {R"({"broken":"there is no NVRTC"})"}}); },
              ThrowsMessage<base::Error>(HasSubstr("there is no NVRTC")));
}

TEST_F(Builds, GoOnWhereTheCacheCannotBeWritten) {
  base::write_file_atomically(home.path() / "cache", "a file where the folder should be");
  const auto one = built(compiled("image one"));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->result.image, "image one");
  EXPECT_FALSE(built(compiled("image two"))->cached);
}

TEST(BuildRequest, HasTheTunablesAsDefines) {
  core::DeviceInfo info;
  info.language = core::Language::cuda;
  info.id = "cuda:1";
  info.arch = "sm_90a";
  const auto request = build_request(info, "source", "seed.cu", {{"VEC", 4}, {"BLOCK", -256}});
  EXPECT_EQ(request.arch, "sm_90a");
  EXPECT_EQ(request.device_id, "cuda:1");
  EXPECT_THAT(request.defines, ElementsAre(Pair("BLOCK", "-256"), Pair("VEC", "4")));
}

}  // namespace
}  // namespace hone::runner
