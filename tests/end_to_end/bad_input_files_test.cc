// Files and words that cannot be used: each is refused with one message that names the place and
// the remedy, before anything runs.
#include <filesystem>

#include "base/json_probe.h"

#include "bad_input_workplace.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;

TEST_F(BadInput, SaysWhatIsWrongWithTheCommandLine) {
  expect_error(hone_.run({}), 2, "hone needs a command; it is one of doctor, task, eval");
  expect_error(hone_.run({"bogus"}), 2, "there is no command 'bogus'");
  expect_error(hone_.run({"task", "bogus"}), 2, "it is one of check, new");
  EXPECT_EQ(hone_.run({"help"}).out, hone_.run({"--help"}).out);
  EXPECT_EQ(hone_.run({"version"}).out, hone_.run({"--version"}).out);
  EXPECT_EQ(hone_.run({"-V"}).out, hone_.run({"--version"}).out);
  expect_error(hone_.run({"eval", task()}), 2,
               "candidate is required (`hone eval --help` says more)");
  expect_error(eval(good(), {"--bogus"}), 2, "--bogus");
  expect_error(eval(good(), {"--depth", "deep"}), 2, "screen or certify");
  expect_error(eval(good(), {"--without", "bogus"}), 2,
               "there is no guard 'bogus'; there are: poison");
  expect_error(eval(good(), {"--set", "A"}), 2, "NAME=VALUE");
  for (const char* number : {"-1", "0", "nan", "inf", "x", "1e300"})
    expect_error(eval(good(), {"--time-limit", number}), 2, "is not a number greater than 0");
  expect_error(hone_.run({"eval", task(), good(), "--device", "banana"}), 2,
               "hone doctor lists them");
  expect_error(hone_.run({"log", "--outcome", "banana"}), 2, "accepted, build_failed");
  expect_error(hone_.run({"--resources", "/nowhere", "log"}), 3, "there is no such folder");
}

TEST_F(BadInput, NamesWhatIsThereWhereSomethingIsNot) {
  expect_error(hone_.run({"eval", hone_.folder() / "nowhere", good()}), 3,
               "there is no such task (here are: copy)");
  expect_error(eval(hone_.folder() / "nowhere.fake"), 3, "there is no such file");
  expect_error(hone_.run({"eval", write("copy.cl", ""), task()}), 3,
               "are the two the wrong way round?");
  expect_error(eval(good(), {"--case", "bogus"}), 3, "it has odd, main");
  expect_error(hone_.run({"eval", task(), good(), "--device", "fake:9"}), 4, "fake:1");
  expect_error(hone_.run({"show", "00000000"}), 3, "`hone log` lists evaluations");
  expect_error(hone_.run({"show", "xyz!"}), 3, "hexadecimal");
  const std::string tunable = candidate(
      "tunable.fake",
      std::string("where = [\"A > 1\"]\n[tune]\nA = { values = [1, 2, 4], default = 2 }\n") +
          plain_launch);
  expect_error(eval(tunable, {"--set", "B=1"}), 3, "it has A");
  expect_error(eval(tunable, {"--set", "A=3"}), 3, "the values of A are 1, 2, 4");
  expect_verdict(
      eval(tunable, {"--set", "A=1"}), "rejected",
      "do not satisfy this condition of the plan's `where`\n        where = [\"A > 1\"]");
}

TEST_F(BadInput, RefusesSourcesThatAreEmptyBinaryHugeOrUnreadable) {
  expect_error(eval(write("empty.fake", "")), 3, "the file is empty");
  expect_error(eval(write("binary.fake", std::string("\x7f"
                                                     "ELF\x02\x01\0\xff\xfe",
                                                     9))),
               3, "binary.fake:1:");
  const std::string huge = write("huge.fake", "x");
  std::filesystem::resize_file(huge, 100'000'000);
  expect_error(eval(huge), 3, "is the most that is read");
  expect_error(eval(task()), 3, "the language is told by the file's ending");
  expect_error(eval(write("plain.fake", "kernel copy(buffer, buffer) copy\n")), 3,
               "there is no launch plan");
  expect_error(eval(write("open.fake", "/* hone 1\n[[launch]]\n")), 3, "is not closed");
  expect_error(eval(write("later.fake", "/* hone 9\n*/\n")), 3, "update hone");
  std::filesystem::create_directory(hone_.folder() / "folder.fake");
  EXPECT_EQ(eval(hone_.folder() / "folder.fake").code, 3);
  std::filesystem::create_symlink("loop.fake", hone_.folder() / "loop.fake");
  EXPECT_EQ(eval(hone_.folder() / "loop.fake").code, 3);
}

TEST_F(BadInput, PointsIntoMalformedPlans) {
  const std::string launch = plain_launch;
  expect_error(eval(candidate("a.fake", "garbage = \n")), 3, "a.fake:2:11: this is not TOML");
  expect_error(eval(candidate("b.fake", "[tune]\nA = { values = [1], default = 3 }\n" + launch)), 3,
               "the default 3 is not among the values of 'A'");
  expect_verdict(eval(candidate("c.fake", replaced(launch, "grid = [1]", "grid = [\"m\"]"))),
                 "rejected", "c.fake:4:10: there is no symbol 'm'");
  expect_verdict(eval(candidate("d.fake", replaced(launch, "\"copy\"", "\"other\""))), "rejected",
                 "the source has no kernel 'other'");
  expect_verdict(eval(candidate("e.fake", replaced(launch, "\"y\"]", "\"y\", 3]"))), "rejected",
                 "takes 2 arguments, the plan gives it 3");
  expect_verdict(
      eval(candidate("f.fake", replaced(launch, "grid = [1]", "grid = [\"n / (n - n)\"]"))),
      "rejected", "division by zero");
  expect_verdict(eval(candidate("g.fake", replaced(launch, "grid = [1]",
                                                   "grid = [\"9223372036854775807 * n\"]"))),
                 "rejected", "does not fit in 64 bits");
  expect_verdict(eval(candidate("h.fake", replaced(launch, "grid = [1]", "grid = [0]"))),
                 "rejected", "it must be from 1 to");
  expect_verdict(eval(candidate("i.fake", launch + "repeat = 1000000000000\n")), "rejected",
                 "a call may make up to");
  expect_verdict(eval(candidate("j.fake", launch + "when = \"n == 0\"\n")), "rejected",
                 "every `when` is false");
  expect_verdict(
      eval(write("k.fake", "/* hone 1\n" + replaced(launch, "\"y\"]", "\"y\", \"f32:1\"]") +
                               "*/\nkernel copy(buffer, buffer, int) copy\n")),
      "rejected", "is a floating-point number, but parameter 3");
  EXPECT_EQ(recorded(), 9u);  // verdicts are recorded, errors are not
}

TEST_F(BadInput, PointsIntoMalformedTasks) {
  struct Change {
    const char *what, *by, *complaint;
  };
  for (const auto& [what, by, complaint] :
       {Change{"n = 1024", "m = 1024", "does not bind 'n'"},
        {"n = 1024", "n = 0", "a dimension is at least 1"},
        {"n = 1024", "n = 1000000000000", "1 TiB is the most a case may have"},
        {"[\"n\"]", "[\"n / 0\"]", "division by zero"},
        {"[\"n\"]", "[\"n * 9223372036854775807\"]", "does not fit in 64 bits"},
        {"8 * n", "8 * q", "no case binds the symbol 'q'"},
        {"\"f32\"", "\"f33\"", "it is one of f64, f32"},
        {"hone = 1", "hone = 2", "update hone"},
        {"max = 0", "max = -1", "a tolerance is at least 0"},
        {"name = \"x\"", "name = \"y\"", "stands twice"}}) {
    write("copy/task.toml", replaced(copy_task, what, by));
    expect_error(eval(good()), 3, complaint);
  }
  write("copy/task.toml", "");
  expect_error(eval(good()), 3, "the file is empty");
  write("copy/task.toml", copy_task);
  std::filesystem::remove(hone_.folder() / "copy/reference.cc");
  expect_error(eval(good()), 3, "the reference is missing");
}

TEST_F(BadInput, ACandidateForAnotherDeviceIsNotBlamedForIt) {
  const std::string opencl = write(
      "copy.cl", std::string("/* hone 1\n") + plain_launch +
                     "*/\n__kernel void copy(__global const float* x, __global float* y) {}\n");
  expect_error(eval(opencl), 3, "copy.cl is opencl source and cannot run on fake:1");
  expect_error(hone_.run({"compare", task(), good(), opencl}), 3, "cannot run on fake:0");
  EXPECT_EQ(recorded(), 0u);
}

TEST_F(BadInput, UnderJsonAnErrorIsOneDocument) {
  for (const auto& arguments :
       {std::vector<std::string>{"eval", task(), hone_.folder() / "nowhere.fake", "--json"},
        {"eval", "--json"},
        {"compare", "--json", task(), good(), "nowhere.fake"},
        {"show", "xyz!", "--json"},
        {"tune", task(), good(), "--json", "--device", "fake:1"},
        {"--json", "bogus"}}) {
    const auto finished = hone_.run(arguments);
    const JsonProbe document(finished.out);
    ASSERT_TRUE(document.kind() == "object") << finished.out;
    EXPECT_EQ(document["error"]["code"], finished.code);
    EXPECT_EQ(document["error"]["kind"], finished.code == 2 ? "usage" : "bad_input");
    EXPECT_THAT(finished.err, HasSubstr(document["error"]["message"].text()));
  }
}

TEST_F(BadInput, EveryCommandSpeaksJsonAndHasHelp) {
  const std::vector<std::vector<std::string>> commands = {
      {"doctor"},  {"task", "check"}, {"task", "new"}, {"eval"},
      {"tune"},    {"compare"},       {"export"},      {"log"},
      {"show"},    {"runs"},          {"report"},      {"best"},
      {"diff"},    {"recheck"},       {"findings"},    {"resources", "export"},
      {"selftest"}};
  for (auto arguments : commands) {
    arguments.push_back("--help");
    const auto finished = hone_.run(arguments);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out, HasSubstr("--json")) << arguments.front();
  }
}

TEST_F(BadInput, RefusesToWriteOverWhatIsThere) {
  expect_error(hone_.run({"task", "new", task()}), 3, "is already there");
  const auto written =
      JsonProbe(hone_.run({"task", "new", hone_.folder() / "fresh", "--json"}).out);
  EXPECT_FALSE(written["written"].empty());
}

}  // namespace
}  // namespace hone::end_to_end
