#pragma once
// What the tests of bad input share: a small task, candidates for the fake device whose plan and
// behaviour a test chooses, and one way to look at an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "copy_task.h"
#include "hone_binary.h"
#include "replaced.h"

namespace hone::end_to_end {

inline constexpr const char* plain_launch =
    "[[launch]]\nkernel = \"copy\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]\n";

class BadInput : public testing::Test {
 protected:
  BadInput() {
    write_copy_task(task());
    candidate("good.fake", plain_launch);
  }
  std::string task() const { return hone_.folder() / "copy"; }
  std::string write(const std::string& name, const std::string& text) const {
    base::write_file_atomically(hone_.folder() / name, text);
    return hone_.folder() / name;
  }
  std::string candidate(const std::string& name, const std::string& plan,
                        const std::string& behaviour = "copy ns=1000000000") const {
    return write(name,
                 "/* hone 1\n" + plan + "*/\nkernel copy(buffer, buffer) " + behaviour + "\n");
  }
  std::string good() const { return hone_.folder() / "good.fake"; }
  std::vector<std::string> words(const std::string& candidate,
                                 std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"eval", task(), candidate, "--device", "fake:1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Finished eval(const std::string& candidate, std::vector<std::string> more = {}) const {
    return hone_.run(words(candidate, std::move(more)));
  }
  std::size_t recorded() const {
    return base::JsonProbe(hone_.run({"log", "--json"}).out)["evaluations"].size();
  }

  Hone hone_;
};

// No verdict: this code, nothing on standard output, and one message that says this.
inline void expect_error(const Finished& finished, int code, const std::string& text) {
  EXPECT_EQ(finished.code, code) << finished.err << finished.out;
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, testing::HasSubstr("hone: "));
  EXPECT_THAT(finished.err, testing::HasSubstr(text));
}

// A verdict: exit code 1, the outcome first, and this among its reasons.
inline void expect_verdict(const Finished& finished, const std::string& outcome,
                           const std::string& text) {
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_THAT(finished.out, testing::StartsWith(outcome + " "));
  EXPECT_THAT(finished.out, testing::HasSubstr(text));
}

}  // namespace hone::end_to_end
