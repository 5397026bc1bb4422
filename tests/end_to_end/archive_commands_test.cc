// The commands that work on what was recorded, through the real binary: findings, diff, recheck,
// and what they say of runs that are not there.

#include "bad_input_workplace.h"

#include "base/json_probe.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::AllOf;
using testing::HasSubstr;

class Recorded : public BadInput {
 protected:
  JsonProbe answer(std::vector<std::string> words, int code = 0) const {
    words.push_back("--json");
    const auto finished = hone_.run(words);
    EXPECT_EQ(finished.code, code) << finished.err << finished.out;
    return JsonProbe(finished.out);
  }
};

TEST_F(Recorded, FindingsAreAddedEditedAndDeleted) {
  const std::string id =
      answer({"findings", "add", "Copy in vectors.", "--task", "copy", "--device", "cpu"})["id"];
  EXPECT_EQ(answer({"findings", "show", id.substr(0, 6)})["text"], "Copy in vectors.");
  answer({"findings", "edit", id, "Copy in vectors of 16."});
  EXPECT_EQ(answer({"findings", "--task", "copy"})["findings"][0]["text"],
            "Copy in vectors of 16.");
  EXPECT_TRUE(answer({"findings", "list", "--task", "matmul"})["findings"].empty());
  answer({"findings", "delete", id});
  EXPECT_TRUE(answer({"findings"})["findings"].empty());
  expect_error(hone_.run({"findings", "edit", id, "again"}), 3, "was deleted");
  expect_error(hone_.run({"findings", "show", "abcdef"}), 3, "no finding");
  expect_error(hone_.run({"findings", "add", ""}), 2, "needs a text");
}

TEST_F(Recorded, AFindingIsEditedInTheUsersEditor) {
  const std::string id = answer({"findings", "add", "Wrong."})["id"];
  hone_.set("EDITOR", "sed -i s/Wrong/Right/");
  hone_.set("VISUAL", "");
  EXPECT_EQ(answer({"findings", "edit", id})["text"], "Right.");
}

TEST_F(Recorded, AFindingStaysAsItIsWhenTheEditorFails) {
  const std::string id = answer({"findings", "add", "Right."})["id"];
  hone_.set("VISUAL", "false");
  expect_error(hone_.run({"findings", "edit", id}), 4, "nothing was changed");
}

TEST_F(Recorded, TwoFilesAreDiffedWithWhatIsKnownOfThem) {
  const std::string other = candidate("other.fake", plain_launch, "copy ns=2000000000");
  const JsonProbe before = answer({"diff", good(), other});
  EXPECT_THAT(before["diff"].text(), HasSubstr("+kernel copy(buffer, buffer) copy ns=2000000000"));
  EXPECT_EQ(before["a"]["evaluation"], nullptr);
  eval(good());
  EXPECT_EQ(answer({"diff", good(), other})["a"]["outcome"], "accepted");
  expect_error(hone_.run({"diff", good(), hone_.folder() / "nowhere.fake"}), 3, "no such file");
}

TEST_F(Recorded, AnOldWinnerIsCertifiedOnceMoreAndRecorded) {
  const std::string id = answer({"eval", task(), good(), "--device", "fake:1"})["id"];
  const std::size_t before = recorded();
  const auto finished = hone_.run({"recheck", id, "--device", "fake:1", "--json"});
  const JsonProbe checked(finished.out);
  const std::string word = checked["word"];
  EXPECT_EQ(finished.code, word == "slower" ? 10 : 0) << finished.out;
  EXPECT_THAT(word, testing::AnyOf("holds", "faster", "slower"));
  EXPECT_EQ(checked["now"]["key"]["depth"], "certify");
  EXPECT_EQ(checked["recorded_id"], id);
  EXPECT_EQ(recorded(), before + 1);
  EXPECT_EQ(answer({"show", checked["id"]})["outcome"], "accepted");
}

TEST_F(Recorded, NothingIsCheckedAgainByAnotherTask) {
  const std::string id = answer({"eval", task(), good(), "--device", "fake:1"})["id"];
  write("copy/task.toml", replaced(copy_task, "n = 1024", "n = 2048"));
  expect_error(hone_.run({"recheck", id, "--device", "fake:1"}), 3, "has changed since");
}

TEST_F(Recorded, RunsThatAreNotThereAreSaidToBeMissing) {
  EXPECT_THAT(hone_.run({"runs"}).out, HasSubstr("no run yet"));
  expect_error(hone_.run({"runs", "rabcdef"}), 3, "no run has an id that begins with rabcdef");
  expect_error(hone_.run({"runs", "abcdef"}), 3, "no tuning run");
  expect_error(hone_.run({"report", "rabcdef"}), 3, "hone runs");
  expect_error(hone_.run({"report", "abcdef"}), 3, "is no research run");
  expect_error(hone_.run({"best", "rabcdef"}), 3, "hone runs");
  expect_error(hone_.run({"recheck", "rabcdef:1"}), 3, "hone runs");
}

}  // namespace
}  // namespace hone::end_to_end
