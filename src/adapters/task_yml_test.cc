#include "adapters/task_yml.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace hone::adapters {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* files =
    "files:\n"
    "  - {\"name\": \"submission.py\", \"source\": \"@SUBMISSION@\"}\n"
    "  - {\"name\": \"reference.py\", \"source\": \"reference.py\"}\n";
constexpr const char* rest = "lang: \"py\"\nbenchmarks:\n  - {\"size\": 8, \"seed\": 1}\n";

class TaskYmlFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(problem());
    write("reference.py", "x = 1\n");
  }
  fs::path problem() const { return folder_.path() / "problems" / "collection" / "sum_py"; }
  void write(const fs::path& name, const std::string& text) {
    std::ofstream(problem() / name) << text;
  }
  TaskYml read(const std::string& text) {
    write("task.yml", text);
    return read_task_yml(problem());
  }
  std::string said_of(const std::string& text) {
    try {
      read(text);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::bad_input);
      return error.what();
    }
    return "";
  }
  base::TemporaryFolder folder_{"task-yml-test"};
};

TEST_F(TaskYmlFile, IsReadAsItIs) {
  const auto yml =
      read(std::string(files) + rest +
           "description: |\n  Sums \"things\".\n\n  More.\ntests: [{size: 3, seed: 7}]\n"
           "ranking_by: geom\ntest_timeout: 30\ngpus: [B200]\n");
  EXPECT_EQ(yml.name, "sum_py");
  EXPECT_EQ(yml.summary, "Sums \"things\".");
  EXPECT_EQ(yml.files.size(), 1u) << "the submission is not the problem's";
  EXPECT_EQ(base::json_line(yml.tests), R"([{"seed":7,"size":3}])");
  EXPECT_EQ(yml.ranking, "geom");
  EXPECT_EQ(yml.test_timeout, 30);
  EXPECT_EQ(read(std::string(files) + rest).ranking, "last") << "as the official evaluator has it";
}

TEST_F(TaskYmlFile, ArgumentsAreWhatTheOfficialParserMakesOfThem) {
  const auto yml =
      read(std::string(files) +
           "lang: py\nbenchmarks:\n"
           "  - {\"flag\": True, \"other\": no, \"word\": \"normal\", \"number\": \"12\", "
           "\"minus\": -3,\n"
           "     \"quoted\": \"true\", \"m\": [128, 384], \"rate\": 0.5, \"nothing\": null}\n");
  EXPECT_EQ(base::json_line(yml.benchmarks.at(0)),
            R"({"flag":"True","m":[128,384],"minus":-3,"nothing":"None","number":12,)"
            R"("other":"False","quoted":"true","rate":0.5,"word":"normal"})");
}

TEST_F(TaskYmlFile, WhatIsWrongIsSaidWithItsLine) {
  const std::string good = std::string(files) + rest;
  EXPECT_THAT(said_of("files: [\n"), HasSubstr("not YAML"));
  EXPECT_THAT(said_of("files: [\n"), HasSubstr("task.yml:2:1"));
  EXPECT_THAT(said_of("- 1\n"), HasSubstr("is a mapping"));
  EXPECT_THAT(said_of(rest), HasSubstr("there is no 'files'"));
  EXPECT_THAT(said_of(std::string(files) + "lang: py\n"), HasSubstr("no benchmarks"));
  EXPECT_THAT(said_of(std::string("files: 3\n") + rest),
              HasSubstr("task.yml:1:8: 'files' is a list"));
  EXPECT_THAT(said_of(std::string("files: [{name: a.py}]\n") + rest),
              HasSubstr("there is no 'source'"));
  EXPECT_THAT(said_of(std::string(files) + "lang: cu\nbenchmarks: []\n"),
              HasSubstr("task.yml:4:7: lang is \"cu\""));
  EXPECT_THAT(said_of(good + "multi_gpu: true\n"), HasSubstr("several GPUs"));
  EXPECT_THAT(said_of(good + "ranking_by: best\n"), HasSubstr("task.yml:7:13: ranking_by is"));
  EXPECT_THAT(said_of(good + "test_timeout: soon\n"), HasSubstr("number of seconds"));
  EXPECT_THAT(said_of(good + "tests: {size: 1}\n"), HasSubstr("'tests' is a list"));
  EXPECT_THAT(said_of(good + "tests: [{size: {a: 1}}]\n"),
              HasSubstr("a number, a word, or a list"));
  EXPECT_THAT(said_of(good + "tests: [{\"a b\": 1}]\n"),
              HasSubstr("'a b' cannot be an argument's name"));
  EXPECT_THAT(said_of("files: [{name: utils.py, source: reference.py}]\n" + std::string(rest)),
              HasSubstr("no reference.py"));
}

TEST_F(TaskYmlFile, SourcesLieInTheProblemsFolderOrALittleAboveIt) {
  const auto with = [&](const std::string& source, const std::string& name = "utils.py") {
    return said_of(std::string(files) + "  - {\"name\": \"" + name + "\", \"source\": \"" + source +
                   "\"}\n" + rest);
  };
  std::ofstream(problem() / "../utils.py") << "x = 1\n";
  std::ofstream(problem() / "../../utils.py") << "x = 1\n";
  std::ofstream(problem() / "../../../secret.py") << "x = 1\n";
  EXPECT_EQ(with("../utils.py"), "");
  EXPECT_EQ(with("../../utils.py"), "");
  for (const char* outside :
       {"../../../../../../../../etc/passwd", "/etc/passwd", "../../../secret.py", "../..", "."})
    EXPECT_THAT(with(outside), HasSubstr("is not taken")) << outside;
  fs::create_symlink(problem() / "../../../secret.py", problem() / "link.py");
  EXPECT_THAT(with("link.py"), HasSubstr("is not taken")) << "where a link leads counts";
  EXPECT_THAT(with("absent.py"), HasSubstr("task.yml:4:36: 'absent.py' is not there"));
  EXPECT_THAT(with("../utils.py", "../utils.py"), HasSubstr("cannot be a file"));
  EXPECT_THAT(with("../utils.py", "reference.py"), HasSubstr("stands twice"));
  write("huge.py", std::string((1 << 20) + 1, '#'));
  EXPECT_THAT(with("huge.py"), HasSubstr("larger than"));
  write("bytes.py", "x = '\xff'\n");
  EXPECT_THAT(with("bytes.py"), HasSubstr("not UTF-8"));
}

TEST_F(TaskYmlFile, HostileTextsAreRefused) {
  EXPECT_THAT(said_of(std::string(300 << 10, ' ')), HasSubstr("task.yml"));
  EXPECT_NE(said_of(std::string(100000, '[')), "") << "deeply nested";
  EXPECT_NE(said_of("a: &a [*a]\nfiles: *a\n" + std::string(rest)), "");
  EXPECT_NE(said_of(std::string("\xff\xfe\0\0", 4)), "");
  fs::remove(problem() / "task.yml");
  try {
    read_task_yml(problem());
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a folder with a task.yml"));
  }
}

}  // namespace
}  // namespace hone::adapters
