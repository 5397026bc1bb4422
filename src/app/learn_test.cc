#include "app/learn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/test_support.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

// A document, and a model that is a script: it answers with one finding.
struct Learn : testing::Test {
  FakePlace place;
  RecordingSink sink;
  LearnRequest request = place.request<LearnRequest>();

  Learn() {
    const std::string model = place.write("model.sh",
                                          "#!/bin/sh\ncat > /dev/null\necho '{\"findings\": "
                                          "[\"Copies are quick.\"], \"reports\": []}'\n");
    ::chmod(model.c_str(), 0755);
    request.files = {place.write("notes.md", "Copies are quick, say the notes.")};
    request.target = "sm_90a";
    request.llm = "exec:" + model;
  }
};

TEST_F(Learn, DigestsDocumentsIntoFindings) {
  const auto result = learn(request, sink);
  ASSERT_EQ(result.learned.findings.size(), 1u);
  EXPECT_EQ(result.learned.findings[0].device, "sm_90a");
  EXPECT_FALSE(result.cancelled);
  ASSERT_FALSE(sink.steps.empty());
  EXPECT_EQ(sink.steps[0].text, "reading notes.md");
  const auto said = base::probe(result);
  EXPECT_EQ(said["findings"][0]["text"], "Copies are quick.");
  EXPECT_EQ(said["findings"][0]["source"], "notes.md");
  EXPECT_EQ(said["calls"], 1);
  EXPECT_EQ(said["run"], result.learned.run);
  EXPECT_TRUE(said["problems"].empty());
}

TEST_F(Learn, AsksNothingOnceItIsCancelledAndGoesOnLater) {
  sink.cancel();
  const auto result = learn(request, sink);
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.learned.spending.calls, 0);
  EXPECT_FALSE(result.learned.problems.empty());
  RecordingSink undisturbed;
  const auto later = learn(request, undisturbed);
  EXPECT_EQ(later.learned.run, result.learned.run);
  EXPECT_EQ(later.learned.findings.size(), 1u);
}

TEST_F(Learn, NeedsAPriceWhereDollarsAreLimited) {
  request.llm = "openai:a-model-without-a-price";
  request.max_usd = 1;
  EXPECT_EQ(code_of([&] { learn(request, sink); }), base::ExitCode::usage);
}

}  // namespace
}  // namespace hone::app
