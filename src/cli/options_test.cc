// Options as users type them: what is taken, what is refused, and what hone says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "app/settings.h"
#include "base/error.h"
#include "cli/set_up.h"
#include "cli/typed_words.h"

namespace hone::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(Options, OfEveryCommandAreTakenAsTheyAreTyped) {
  for (const char* typed : {
           "eval task a.cl b.cl --case prime --depth certify --quick --set BLOCK=256 --set VEC=4",
           "eval task a.cl --without freeze --no-record --json --unsafe --time-limit 0.5",
           "eval --device=cuda:0 task a.cu",
           "compare task a.cl b.cl --margin 0.002 --max-seconds 30 --depth screen",
           "tune task a.cl --max-evals 5 --max-minutes 0.5 --seed 7 -o b.cl --fresh --force",
           "tune task a.cl --resume --out b.cl",
           "run task --llm exec:model --llm.writer openai:m --price 1,2 --price.writer 1,2,0.1",
           "run task --seed a.cl --seed b.cl --tool one --tool two --strategy oneshot",
           "run task --max-usd 0.5 --max-calls 3 --max-candidates 2 --max-minutes 1 --slots 256",
           "run task --attempts 0 --width 16 --tries 10 --stop-at-ceiling 0 --stop-after-flat 0",
           "run task --tune-evals 0",
           "resume r1f --tune-evals 50",
           "run task --feedback raw --write python --executor bundle:jobs --dry-run",
           "resume r1f --llm exec:model --max-usd 3",
           "learn a.md b.md --task softmax --device sm_90a --max-usd 1 --again",
           "profile task a.cl --energy --sanitize --no-source --tool one --tool two",
           "profile --again 77aa",
           "export task a.cl --format opencl -o folder --set BLOCK=1 --force",
           "export a.py --format kernelbench",
           "baseline kernelbench:level1/1-20 --jobs 2 --limit-s 60 --budget-s 600 --retry",
           "table kernelbench:level1 --markdown table.md",
           "log --task softmax --outcome wrong --before 4f1d --limit 5 --json",
           "runs r1f --follow",
           "report r1f -o r.md --force --beside r2 --beside-archive b.db",
           "findings",
           "findings list --limit 5",
           "findings --task softmax",
           "best r1f -o a.cl",
           "findings add - --task softmax --device cpu",
           "findings edit 12",
           "diff a.cl r1f",
           "bundle run jobs.hone -o results.hone --max-minutes 5",
           "bundle device -o d.json",
           "doctor --measure",
           "doctor --no-measure --device opencl:0",
           "config --json",
           "selftest --cheats --only 5 --kind python --no-clock",
           "selftest --guards",
           "task new mytask --from k.py:f --reference r.py --example torch.ones(3)",
           "--resources folder eval task a.cl",
           "eval task a.cl --resources folder",
       })
    EXPECT_EQ(complaint(words_of(typed)), "") << typed;
}

TEST(Options, ThatCannotBeAreRefusedWithTheOptionAndTheCommandsHelp) {
  const std::pair<const char*, const char*> refused[] = {
      {"eval task a.cl --time-limit 0", "--time-limit: '0' is not a number greater than 0"},
      {"eval task a.cl --time-limit -1", "--time-limit"},
      {"eval task a.cl --time-limit nan", "--time-limit: 'nan'"},
      {"eval task a.cl --time-limit inf", "--time-limit: 'inf'"},
      {"eval task a.cl --time-limit 1e10", "--time-limit: '1e10'"},
      {"eval task a.cl --time-limit 5s", "--time-limit: '5s'"},
      {"compare task a b --margin 0.6", "--margin"},
      {"compare task a b --margin 0.00001", "--margin"},
      {"compare task a b --max-seconds zero", "--max-seconds: 'zero'"},
      {"tune task a.cl --max-evals 0", "--max-evals"},
      {"tune task a.cl --max-evals 1.5", "--max-evals"},
      {"tune task a.cl --seed minus", "--seed"},
      {"run task --max-usd 0", "--max-usd: '0'"},
      {"run task --max-usd=-5", "--max-usd: '-5'"},
      {"run task --slots 0", "--slots"},
      {"run task --slots 257", "--slots"},
      {"run task --width 17", "--width"},
      {"run task --tries 0", "--tries"},
      {"run task --attempts 65", "--attempts"},
      {"run task --stop-at-ceiling 1.5", "--stop-at-ceiling"},
      {"run task --strategy anneal", "--strategy: anneal not in {scientist,mcts,greedy,oneshot}"},
      {"run task --write c", "--write"},
      {"run task --feedback all", "--feedback"},
      {"export task a.cl --format hip", "--format"},
      {"selftest --cheats --kind cuda", "--kind"},
      {"baseline --jobs 0", "--jobs"},
      {"runs --limit 0", "--limit"},
      {"findings --limit 0", "--limit"},
      {"tune task a.cl --resume --fresh", "--resume excludes --fresh"},
      {"doctor --measure --no-measure", "--measure excludes --no-measure"}};
  for (const auto& [typed, told] : refused) {
    const auto words = words_of(typed);
    EXPECT_THAT(complaint(words),
                AllOf(HasSubstr(told), HasSubstr("(`hone " + words[0] + " --help`")))
        << typed;
  }
}

TEST(Options, AndArgumentsThatAreMissingAreNamed) {
  const std::pair<const char*, const char*> missing[] = {
      {"eval", "task is required"},
      {"eval task", "candidate is required"},
      {"compare task a.cl", "b is required"},
      {"tune task", "candidate is required"},
      {"run", "task is required"},
      {"resume", "run is required"},
      {"learn", "files is required"},
      {"show", "id is required"},
      {"best", "run is required"},
      {"diff a.cl", "b is required"},
      {"recheck", "id is required"},
      {"report", "run is required"},
      {"task check", "task is required"},
      {"task new", "name is required"},
      {"bundle pack folder", "--out is required"},
      {"bundle import folder", "results is required"},
      {"findings add", "text is required"},
      {"findings delete", "id is required"},
      {"completion", "shell is required"},
      {"eval task a.cl --case", "--case"},
      {"task", "hone task needs a command; it is one of check, new"},
      {"bundle", "hone bundle needs a command; it is one of pack, run, import, device"},
      {"resources", "hone resources needs a command"},
      {"", "hone needs a command; it is one of doctor, task"}};
  for (const auto& [typed, told] : missing)
    EXPECT_THAT(complaint(words_of(typed)), AllOf(HasSubstr(told), HasSubstr("--help` says more)")))
        << typed;
}

TEST(Options, ThatDoNotExistAreAnsweredWithTheNearestOne) {
  const std::pair<const char*, const char*> mistyped[] = {
      {"run task --max-usdd 5", "there is no option --max-usdd: did you mean '--max-usd'?"},
      {"run task --lllm x", "there is no option --lllm: did you mean '--llm'?"},
      {"tune task a --max-eval 5", "did you mean '--max-evals'?"},
      {"eval task a --jsno", "did you mean '--json'?"},
      {"eval task a --resource x", "did you mean '--resources'?"},
      {"profile task a --energie", "did you mean '--energy'?"},
      {"findings list --limt 5", "did you mean '--limit'?"},
      {"bundle run a -o b --max-minute 5", "did you mean '--max-minutes'?"},
      {"eval task a --completely-else", "there is no option --completely-else ("},
      {"findings lst", "did you mean 'list'?"},
      {"bundle imprt a b", "did you mean 'import'?"},
      {"selftst", "did you mean 'selftest'?"},
      {"comparee a b c", "did you mean 'compare'?"},
      {"bundle frobnicate", "it is one of pack, run, import, device"}};
  for (const auto& [typed, told] : mistyped)
    EXPECT_THAT(complaint(words_of(typed)), HasSubstr(told)) << typed;
}

TEST(Options, HiddenCommandsAreNeverSuggested) {
  EXPECT_THAT(complaint({"jobs"}), testing::Not(HasSubstr("'job'")));
  EXPECT_THAT(complaint({"mann"}), testing::Not(HasSubstr("'man'")));
}

TEST(Options, OfADepthOrAnOutcomeThatIsNoneNameThoseThatAre) {
  EXPECT_THAT([] { complaint(words_of("eval task a --depth deep")); },
              ThrowsMessage<base::Error>(AllOf(HasSubstr("deep"), HasSubstr("certify"))));
  EXPECT_THAT([] { complaint(words_of("log --outcome rigth")); },
              ThrowsMessage<base::Error>(AllOf(HasSubstr("rigth"), HasSubstr("accepted"))));
}

TEST(Options, ForProblemsOfOthersReachTheProcessesThatHoneStarts) {
  for (const char* name : {"HONE_KERNELBENCH", "HONE_PYTHON", "HONE_REFERENCE_LIMIT"})
    ::unsetenv(name);
  EXPECT_EQ(complaint(words_of("eval task a --kernelbench kb --python py --reference-limit 2.5")),
            "");
  EXPECT_STREQ(std::getenv("HONE_KERNELBENCH"), "kb");
  EXPECT_STREQ(std::getenv("HONE_PYTHON"), "py");
  EXPECT_STREQ(std::getenv("HONE_REFERENCE_LIMIT"), "2.5");
  for (const char* name : {"HONE_KERNELBENCH", "HONE_PYTHON", "HONE_REFERENCE_LIMIT"})
    ::unsetenv(name);
}

// ---- what all commands have

TEST(Options, EveryCommandThatGivesAResultGivesItAsJson) {
  const auto line = command_line();
  const std::set<std::string> texts = {"", "help", "completion"};  // their result is a text
  for (const auto& [path, app] : all_commands(*line->app)) {
    const bool is_group = app->get_require_subcommand_min() > 0;
    if (texts.contains(path) || is_group) continue;
    // `hone findings list --json` is read by `hone findings`, which has the option.
    bool has = false;
    for (const CLI::App* at = app; at != nullptr; at = at->get_parent())
      has = has || at->get_option_no_throw("--json") != nullptr;
    EXPECT_TRUE(has) << path;
  }
}

TEST(Options, EachSaysWhatItIsForInASentenceWithoutItsFullStop) {
  const auto line = command_line();
  for (const auto& [path, app] : all_commands(*line->app)) {
    EXPECT_FALSE(app->get_description().empty()) << path;
    for (const CLI::Option* option :
         app->get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
      const std::string what = option->get_description(), where = path + " " + option->get_name();
      ASSERT_FALSE(what.empty()) << where;
      EXPECT_TRUE(what.back() != '.' || what.ends_with("...")) << where;
    }
  }
}

TEST(Options, NoNameStandsForTwoThingsInOneCommand) {
  const auto line = command_line();
  for (const auto& [path, app] : all_commands(*line->app)) {
    std::set<std::string> names;
    for (const CLI::App* at = app; at != nullptr; at = at->get_parent())
      for (const CLI::Option* option : at->get_options())
        for (const auto& name : option->get_lnames())
          EXPECT_TRUE(names.insert(name).second || name == "help") << path << " --" << name;
  }
}

// ---- settings in files

// The settings that files would give, by their keys.
std::vector<app::Setting> settings(const std::map<std::string, std::string>& values) {
  std::vector<app::Setting> all(app::setting_kinds().size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto found = values.find(app::setting_kinds()[i].key); found != values.end())
      all[i] = {found->second, "/home/me/hone.toml:3"};
  return all;
}

// What an option says once the settings are taken too.
std::string with_settings(const std::string& typed, const std::string& option,
                          const std::map<std::string, std::string>& values) {
  const auto line = command_line();
  auto words = words_of(typed);
  std::reverse(words.begin(), words.end());
  line->app->parse(words);
  take_settings(*line->app, settings(values));
  const CLI::App* at = line->app.get();
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  const auto results = at->get_option(option)->results();
  return results.empty() ? "" : results.front();
}

TEST(Settings, OfFilesStandInForOptionsThatWereNotGiven) {
  EXPECT_EQ(with_settings("run task", "--max-usd", {{"max_usd", "5"}}), "5");
  EXPECT_EQ(with_settings("run task --max-usd 3", "--max-usd", {{"max_usd", "5"}}), "3");
  EXPECT_EQ(with_settings("run task", "--max-usd", {}), "");
}

TEST(Settings, ThatCannotBeAreRefusedWithTheirFileAndLine) {
  EXPECT_THAT(
      [] {
        with_settings("run task", "--max-usd", {{"max_usd", "-5"}});
      },
      ThrowsMessage<base::Error>(
          AllOf(StartsWith("/home/me/hone.toml:3: max_usd:"), HasSubstr("-5"))));
}

TEST(Settings, OfOtherCommandsAreLeftAlone) {
  EXPECT_NO_THROW(with_settings("log", "--limit", {{"max_usd", "-5"}}));
}

}  // namespace
}  // namespace hone::cli
