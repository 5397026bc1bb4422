#include "app/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

using testing::HasSubstr;

class Settings : public testing::Test {
 protected:
  Settings() {
    ::setenv("HONE_CONFIG", own().c_str(), 1);
    base::write_file_atomically(own(), "");
    for (const auto& kind : setting_kinds()) ::unsetenv(kind.variable);
    base::make_folder(folder_.path() / "project/deep");
  }
  ~Settings() override {
    ::unsetenv("HONE_CONFIG");
    ::unsetenv("HONE_LLM");
    ::unsetenv("HONE_REFERENCE_LIMIT");
  }
  std::string own() const { return folder_.path() / "config.toml"; }
  std::string project() const { return folder_.path() / "project/hone.toml"; }
  static Setting of(const std::vector<Setting>& settings, const std::string& key) {
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (setting_kinds()[i].key == key) return settings[i];
    return {};
  }
  std::vector<Setting> in_force() const {
    return settings_in_force(folder_.path() / "project/deep");
  }
  std::string complaint(const std::string& text) const {
    base::write_file_atomically(own(), text);
    try {
      in_force();
    } catch (const base::Error& error) {
      return error.what();
    }
    return "";
  }
  base::TemporaryFolder folder_{"settings"};
};

TEST_F(Settings, TheProjectWinsOverThePersonAndTheEnvironmentOverBoth) {
  base::write_file_atomically(own(), "model = \"exec:one\"\ndevice = \"opencl:0\"\nmax_usd = 5\n");
  base::write_file_atomically(project(), "\nmodel = \"exec:two\"\n");
  EXPECT_EQ(of(in_force(), "model").value, "exec:two");
  EXPECT_EQ(of(in_force(), "model").from, project() + ":2");
  EXPECT_EQ(of(in_force(), "device").from, own() + ":2");
  EXPECT_EQ(of(in_force(), "max_usd").value, "5");
  EXPECT_EQ(of(in_force(), "python").from, "");
  ::setenv("HONE_LLM", "exec:three", 1);
  EXPECT_EQ(of(in_force(), "model").value, "exec:three");
  EXPECT_EQ(of(in_force(), "model").from, "$HONE_LLM");
}

TEST_F(Settings, PathsAreRelativeToTheirFile) {
  base::write_file_atomically(project(),
                              "kernelbench = \"../KernelBench\"\npython = \"python3\"\n");
  EXPECT_EQ(of(in_force(), "kernelbench").value, (folder_.path() / "KernelBench").string());
  EXPECT_EQ(of(in_force(), "python").value, "python3") << "one that is looked for";
}

TEST_F(Settings, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_THAT(complaint("device = \"fake:0\"\nmodle = \"x\"\n"),
              HasSubstr("config.toml:2: there is no setting 'modle': did you mean 'model'?"));
  EXPECT_THAT(complaint("max_usd = \"five\"\n"), HasSubstr("config.toml:1: max_usd is a number"));
  EXPECT_THAT(complaint("device = 3\n"), HasSubstr("config.toml:1: device is a text in quotes"));
  EXPECT_THAT(complaint("device =\n"), HasSubstr("config.toml:1: this is no TOML"));
}

TEST_F(Settings, VariablesThatMeanNothingAreRefused) {
  ::setenv("HONE_REFERENCE_LIMIT", "abc", 1);
  EXPECT_THAT(complaint(""),
              HasSubstr("HONE_REFERENCE_LIMIT=abc: that is no number greater than 0"));
  ::setenv("HONE_REFERENCE_LIMIT", "30", 1);
  EXPECT_EQ(complaint(""), "");
  const std::string missing = folder_.path() / "nowhere.toml";
  ::setenv("HONE_CONFIG", missing.c_str(), 1);
  EXPECT_THAT(complaint(""), HasSubstr("HONE_CONFIG=" + missing + ": there is no such file"));
}

TEST_F(Settings, AnEmptyVariableReadsNoFile) {
  base::write_file_atomically(project(), "device = \"fake:0\"\n");
  ::setenv("HONE_CONFIG", "", 1);
  EXPECT_EQ(of(in_force(), "device").value, "");
}

TEST_F(Settings, OfARequestAreThoseThatAreSetWithWhereTheyComeFrom) {
  base::write_file_atomically(project(), "device = \"fake:0\"\n");
  const auto said = base::probe(config(folder_.path() / "project/deep"));
  EXPECT_EQ(said["settings"].size(), 1u);
  EXPECT_EQ(said["settings"]["device"]["value"], "fake:0");
  EXPECT_EQ(said["settings"]["device"]["from"], project() + ":1");
}

TEST_F(Settings, OfARequestAreNumbersWhereTheyAreNumbers) {
  base::write_file_atomically(project(), "max_usd = 2.5\nmax_calls = 100\nprice = \"3\"\n");
  ::setenv("HONE_REFERENCE_LIMIT", "1e2", 1);
  const auto said = base::probe(config(folder_.path() / "project/deep"))["settings"];
  EXPECT_EQ(said["max_usd"]["value"].dump(), "2.5");
  EXPECT_EQ(said["max_calls"]["value"].dump(), "100");
  EXPECT_EQ(said["reference_limit"]["value"].dump(), "100");
  EXPECT_EQ(said["price"]["value"], "3") << "IN,OUT: a text, whatever it looks like";
}

TEST_F(Settings, AreNamedWithTheirTypesInTheSchemaOfARequest) {
  const base::JsonProbe schema(base::json_schema<ConfigResult>());
  const auto settings = schema["properties"]["settings"]["properties"];
  EXPECT_EQ(settings.size(), setting_kinds().size());
  EXPECT_EQ(settings["model"]["properties"]["value"]["type"], "string");
  EXPECT_EQ(settings["max_usd"]["properties"]["value"]["type"].dump(), R"(["number","string"])");
}

}  // namespace
}  // namespace hone::app
