// `hone learn` through the binary: documents, and a model that reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"

#include "laboratory.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;

TEST(Learn, TriesAgainWhatGaveNoUsableAnswerAndDigestsNothingTwice) {
  const Laboratory lab;
  const std::string document = lab.hone.folder() / "caf\xe9.md", good = lab.hone.folder() / "good";
  base::write_file_atomically(document, "Copies are quick.");
  base::write_file_atomically(
      lab.hone.folder() / "reader.sh",
      "#!/bin/sh\ncat > /dev/null\nif [ -e '" + good +
          "' ]; then echo '{\"findings\": [\"Quick.\"], \"reports\": []}'; else echo no; fi\n");
  ::chmod((lab.hone.folder() / "reader.sh").c_str(), 0755);
  const auto learn = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"learn", document, "--json", "--llm",
                                   "exec:" + (lab.hone.folder() / "reader.sh").string()};
    words.insert(words.end(), more.begin(), more.end());
    return lab.hone.run(words);
  };
  EXPECT_EQ(learn({}).code, 1);
  base::write_file_atomically(good, "");
  const auto second = learn({});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(JsonProbe(second.out)["findings"].size(), 1u);
  const auto third = learn({});
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_EQ(JsonProbe(third.out)["known"].size(), 1u);
  EXPECT_EQ(JsonProbe(third.out)["findings"].size(), 0u);
  const auto again = JsonProbe(learn({"--again"}).out);
  EXPECT_EQ(again["known"].size(), 0u) << "it was read once more";
  EXPECT_EQ(again["calls"], 1);
  EXPECT_EQ(again["findings"].size(), 0u) << "the same sentence is no new finding";
  EXPECT_EQ(JsonProbe(lab.hone.run({"findings", "--json"}).out)["findings"].size(), 1u);
}

}  // namespace
}  // namespace hone::end_to_end
