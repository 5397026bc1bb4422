// Machines that lack something, candidates that misbehave, and users who change their minds: one
// message, a documented exit code, nothing lost and no process left behind.
#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "bad_input_workplace.h"

namespace hone::end_to_end {
namespace {

using testing::HasSubstr;

// The limit on the size of files, for this process and those it starts, while the object lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(BadInput, CandidatesThatMisbehaveAreJudged) {
  expect_verdict(eval(candidate("a.fake", plain_launch, "crash")), "crashed", "SIGSEGV");
  expect_verdict(eval(candidate("b.fake", plain_launch, "abort")), "crashed", "SIGABRT");
  expect_verdict(eval(candidate("c.fake", plain_launch, "fail")), "launch_failed",
                 "launch 1 ('copy')");
  expect_verdict(eval(candidate("d.fake", plain_launch, "hang"), {"--time-limit", "0.5"}),
                 "timed_out", "within its limit of 0.5 s");
  expect_verdict(eval(candidate("e.fake", plain_launch, "banana")), "build_failed",
                 "'banana' is no behaviour");
  EXPECT_EQ(eval(good()).code, 0);
  EXPECT_EQ(recorded(), 6u);
}

TEST_F(BadInput, ACaseThatDoesNotFitIsSaidBeforeAnythingIsBuilt) {
  write("copy/task.toml", replaced(copy_task, "n = 1024", "n = 100000000000"));
  const auto finished = eval(good());
  expect_error(finished, 4, "case main needs");
  EXPECT_THAT(finished.err, HasSubstr("smaller case with --case"));
  EXPECT_EQ(eval(good(), {"--case", "odd"}).code, 0);
}

TEST_F(BadInput, ScratchThatDoesNotFitIsTheCandidatesFault) {
  const std::string scratch = "[[scratch]]\nname = \"s\"\ndtype = \"f32\"\nshape = [";
  expect_verdict(eval(candidate("a.fake", scratch + "1000000000000]\n" + plain_launch)), "rejected",
                 "use less scratch");
  expect_verdict(eval(candidate("b.fake", scratch + "9000000000000000000, 9000000000000000000]\n" +
                                              plain_launch)),
                 "rejected", "more than 2^63 elements");
}

TEST_F(BadInput, WithoutAnOpenClDriverSaysWhatToInstall) {
  base::make_folder(hone_.folder() / "none");
  hone_.set("OCL_ICD_VENDORS", hone_.folder() / "none");
  const std::string opencl = write(
      "copy.cl", std::string("/* hone 1\n") + plain_launch +
                     "*/\n__kernel void copy(__global const float* x, __global float* y) {}\n");
  expect_error(hone_.run({"eval", task(), opencl}), 4, "apt install");
}

TEST_F(BadInput, SettingsAreDefaultsThatAnOptionWinsOver) {
  hone_.set("HONE_CONFIG", write("config.toml", "device = \"nowhere:0\"\n"));
  const auto configured = hone_.run({"eval", task(), good()});
  EXPECT_NE(configured.code, 0);
  EXPECT_THAT(configured.err, HasSubstr("nowhere:0"));
  EXPECT_EQ(eval(good()).code, 0) << "with --device fake:1";
  EXPECT_THAT(hone_.run({"config"}).out, HasSubstr("config.toml:1"));
  write("config.toml", "devise = \"fake:1\"\n");
  expect_error(eval(good()), 3,
               "config.toml:1: there is no setting 'devise': did you mean 'device'?");
}

TEST_F(BadInput, AHomeThatCannotBeWrittenIsSaidAtOnce) {
  hone_.set("HONE_HOME", "/dev/null/home");
  expect_error(eval(good()), 5, "set HONE_HOME to a folder that is");
}

TEST_F(BadInput, AnArchiveThatIsNoneIsLeftAlone) {
  const std::string none = write("notes.txt", "these are my notes\n");
  expect_error(eval(good(), {"--archive", none}), 5, "this is no archive");
  EXPECT_EQ(base::read_file(none), "these are my notes\n");
  const std::string missing = hone_.folder() / "missing.db";
  expect_error(hone_.run({"log", "--archive", missing}), 5, "there is no such file");
  EXPECT_FALSE(std::filesystem::exists(missing));
}

TEST_F(BadInput, AnArchiveOfANewerVersionIsLeftAlone) {
  ASSERT_EQ(eval(good()).code, 0);
  const std::string archive = hone_.home() / "archive.db";
  {
    constexpr std::streamoff user_version =
        60 + 3;  // the last byte of the header's big-endian word
    std::fstream file(archive, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(user_version);
    file.put(99);
  }
  const std::string before = base::read_file(archive);
  expect_error(eval(good()), 5, "has version 99");
  expect_error(hone_.run({"log"}), 5, "Use the newer hone");
  EXPECT_EQ(base::read_file(archive), before);
}

TEST_F(BadInput, ADiskThatIsFullLosesNothing) {
  ASSERT_EQ(eval(good()).code, 0);
  {
    const FileLimit limit(16 << 10);
    const auto finished = eval(good());
    expect_error(finished, 5, "no space left for the archive");
    EXPECT_THAT(finished.err, HasSubstr("nothing recorded before is lost"));
  }
  EXPECT_EQ(eval(good()).code, 0);
  EXPECT_EQ(recorded(), 2u);
}

TEST_F(BadInput, OutputThatGoesNowhereIsNotCalledSuccess) {
  for (const char* shell : {"exec \"$0\" log > /dev/full", "exec \"$0\" log >&-"}) {
    const auto finished = hone_.run_program({"/bin/sh", "-c", shell, HONE_BINARY});
    EXPECT_EQ(finished.code, 4) << shell;
    EXPECT_THAT(finished.err, HasSubstr("standard output cannot be written"));
  }
  EXPECT_EQ(recorded(), 0u);  // and the archive was not printed into
}

TEST_F(BadInput, InterruptedEndsAtOnceAndLeavesNobodyBehind) {
  const std::string hanging = candidate("hang.fake", plain_launch, "hang");
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto finished = hone_.run_and_signal(words(hanging), "case odd", 1, signal);
    EXPECT_EQ(finished.code, 130) << finished.err;
    EXPECT_EQ(finished.survivors, 0);
    EXPECT_THAT(finished.err, HasSubstr("interrupted"));
  }
  EXPECT_EQ(eval(good()).code, 0);  // the lease is free
  EXPECT_EQ(recorded(), 1u);
}

TEST_F(BadInput, KilledLeavesNobodyBehind) {
  const std::string hanging = candidate("hang.fake", plain_launch, "hang");
  const auto finished = hone_.run_and_signal(words(hanging), "case odd", 1, SIGKILL);
  EXPECT_EQ(finished.code, 128 + SIGKILL);
  EXPECT_EQ(finished.survivors, 0);
  EXPECT_EQ(eval(good()).code, 0);
  EXPECT_EQ(recorded(), 1u);
}

TEST(BadMachine, AHomeThatCannotBeAFolderIsSaid) {
  Hone hone;
  hone.set("HONE_HOME", "/dev/null/x");
  for (const char* command : {"log", "runs", "findings"}) {
    const auto finished = hone.run({command});
    EXPECT_EQ(finished.code, 5) << command << finished.out;
    EXPECT_THAT(finished.err, HasSubstr("/dev/null is no folder")) << command;
  }
}

TEST(BadMachine, AHomeThatCannotBeWrittenHidesNoDevice) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  Hone hone;
  hone.set("HOME", "/dev/null/x");
  EXPECT_THAT(hone.run({"doctor", "--no-measure"}).out, HasSubstr("opencl:0"));
}

}  // namespace
}  // namespace hone::end_to_end
