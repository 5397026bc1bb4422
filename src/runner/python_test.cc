// Which Python is used, with interpreters that are scripts: no Python, no torch.
#include "runner/python.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

struct FindPython : testing::Test {
  base::TemporaryFolder folder{"hone-python"};
  std::string path_before = std::getenv("PATH");

  void SetUp() override {
    ::unsetenv("HONE_PYTHON");
    ::unsetenv("VIRTUAL_ENV");
  }
  void TearDown() override {
    SetUp();
    ::setenv("PATH", path_before.c_str(), 1);
  }
  std::string interpreter(const fs::path& name, const std::string& body) const {
    const fs::path file = folder.path() / name;
    base::make_folder(file.parent_path());
    base::write_file_atomically(file, "#!/bin/sh\n" + body + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  std::string with_torch(const fs::path& name, const std::string& version) const {
    return interpreter(name,
                       fmt::format("echo '{{\"version\":\"{}\",\"paths\":[\"{}\",\"/usr/lib\","
                                   "\"/nowhere\"]}}'",
                                   version, folder.path().string()));
  }
};

TEST_F(FindPython, AsksTheInterpreterForItsVersionAndItsFolders) {
  const auto python = find_python(with_torch("bin/python", "Python 3.11.2, torch 2.5.1"));
  EXPECT_EQ(python.version, "Python 3.11.2, torch 2.5.1");
  EXPECT_THAT(python.readable,
              UnorderedElementsAre(folder.path().string(), (folder.path() / "bin").string()))
      << "existing folders, without those that every sandbox has";
}

TEST_F(FindPython, WhatIsNamedWinsAndNothingElseIsTried) {
  const std::string option = with_torch("option", "option"), variable = with_torch("var", "var"),
                    environment = with_torch("venv/bin/python", "venv");
  ::setenv("VIRTUAL_ENV", (folder.path() / "venv").c_str(), 1);
  EXPECT_EQ(find_python().program, environment);
  ::setenv("HONE_PYTHON", variable.c_str(), 1);
  EXPECT_EQ(find_python().program, variable);
  EXPECT_EQ(find_python(option).program, option);
  EXPECT_THAT([&] { find_python("/nowhere/python"); },
              ThrowsMessage<base::Error>(
                  AllOf(HasSubstr("/nowhere/python does not start"), Not(HasSubstr("venv")))));
}

TEST_F(FindPython, IsLookedForOnThePathByItsName) {
  const std::string found = with_torch("own-python", "of the path");
  ::setenv("PATH", (folder.path().string() + ":" + path_before).c_str(), 1);
  EXPECT_EQ(find_python("own-python").program, found);
}

TEST_F(FindPython, TellsWhyEachOneWillNotDoAndTheFix) {
  const std::pair<const char*, const char*> cases[] = {
      {"exit 3", " has no torch"},
      {"echo no libpython >&2; exit 127", " does not start: no libpython"},
      {"echo nonsense", " gave no usable answer"},
      {"echo '{\"version\":\"3\"}'", " gave no usable answer"},
      {"echo '{\"version\":\"3\",\"paths\":7}'", " gave no usable answer"},
      {"kill -9 $$", " does not start"}};
  for (const auto& [body, told] : cases) {
    const std::string program = interpreter("bad", body);
    EXPECT_THAT([&] { find_python(program); },
                ThrowsMessage<base::Error>(AllOf(HasSubstr(program + told), HasSubstr("--python"),
                                                 HasSubstr("$HONE_PYTHON"))))
        << body;
  }
}

}  // namespace
}  // namespace hone::runner
