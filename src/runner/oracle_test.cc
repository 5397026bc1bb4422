// References as processes: what becomes of one that fails, and of a worker that lies. No compiler.
#include "runner/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "runner/test_worker.h"

namespace hone::runner {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* built = R"({"built":true})";

struct OracleTest : testing::Test {
  base::TemporaryFolder home{"hone-oracle"};
  core::Task task;
  core::Case which;

  OracleTest() {
    ::setenv("HONE_HOME", home.path().c_str(), 1);
    ::unsetenv(reference_limit_variable);
    task.name = "rows";
    task.folder = "/tasks/rows";
    which.name = "small";
  }
  ~OracleTest() override { ::unsetenv("HONE_HOME"); }

  // The task's source tells the worker that compiles it what to answer, and the object that comes
  // of it tells the worker that calls it.
  void compiles(const ScriptedAnswer& answer) {
    task.reference_cc = script_text({{"compile_reference", {answer}}});
  }
  void answers(const std::vector<ScriptedAnswer>& calls) {
    compiles({.says = {built}, .files = {script_text({{"reference", calls}}), ""}});
  }
  // Doubles that the reference left in its one output: what the input held, if nothing wrote it.
  static std::vector<double> call(Oracle& oracle, const core::Case& which) {
    std::vector<double> got(4, -1);
    oracle.call(
        which, core::DType::f64, {{"x", core::DType::f32, 4}}, {{"y", core::DType::f64, 4}},
        [](std::size_t, void* to) { std::memset(to, 0, 4 * sizeof(float)); },
        [&](std::size_t, const void* from) { std::memcpy(got.data(), from, 4 * sizeof(double)); });
    return got;
  }
  std::string complaint() {
    Oracle oracle(task);
    try {
      call(oracle, which);
    } catch (const base::Error& error) {
      return std::string(base::name_of(error.code())) + ": " + error.what();
    }
    return "";
  }
};

TEST_F(OracleTest, GivesBackWhatStandsInTheSharedMemory) {
  answers({{}});
  Oracle oracle(task);
  EXPECT_THAT(call(oracle, which), testing::Each(0.0)) << "nothing was written";
}

TEST_F(OracleTest, AReferenceThatDoesNotCompileIsTheTasksMistake) {
  compiles({.says = {R"({"built":false})"}, .files = {"", "reference.cc:3: error: no such name"}});
  EXPECT_THAT(complaint(), AllOf(HasSubstr("bad_input: /tasks/rows/reference.cc does not compile"),
                                 HasSubstr("reference.cc:3: error: no such name")));
}

TEST_F(OracleTest, AMissingCompilerIsTheMachinesFault) {
  compiles({.says = {R"({"broken":"there is no C++ compiler: install g++"})"}});
  EXPECT_THAT(complaint(), HasSubstr("environment: there is no C++ compiler: install g++"));
}

TEST_F(OracleTest, ACompilerThatAnswersNonsenseIsRefused) {
  const std::pair<ScriptedAnswer, const char*> cases[] = {
      {{.says = {built}, .files = {"only one"}}, "gave no usable answer"},
      {{.says = {"nonsense"}, .files = {"object", "log"}}, "gave no usable answer"},
      {{.says = {R"({"built":"yes"})"}, .files = {"object", "log"}}, "does not compile"},
      {{.does = "crash"}, "was killed by SIGSEGV"}};
  for (const auto& [answer, told] : cases) {
    compiles(answer);
    EXPECT_THAT(complaint(), HasSubstr(told));
  }
}

TEST_F(OracleTest, CompilesOnceForAllOracles) {
  answers({{}});
  EXPECT_EQ(complaint(), "");
  std::vector<std::filesystem::path> objects;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home.path()))
    if (entry.path().extension() == ".so") objects.push_back(entry.path());
  ASSERT_EQ(objects.size(), 1u);
  const ScriptedAnswer other{.says = {R"({"error":"it is the one that was kept"})"}};
  base::write_file_atomically(objects[0], script_text({{"reference", {other}}}));
  EXPECT_THAT(complaint(), HasSubstr("it is the one that was kept"));
}

TEST_F(OracleTest, AReferenceThatFailsNamesItsTaskAndCase) {
  const std::string what = "the reference of task rows on case small";
  answers({{.says = {R"({"error":"there is no input w"})"}}});
  EXPECT_THAT(complaint(), HasSubstr("bad_input: " + what + ": there is no input w"));
  answers({{.does = "crash"}});
  EXPECT_THAT(complaint(), HasSubstr(what + " was killed by SIGSEGV"));
  answers({{.says = {"nonsense"}}});
  EXPECT_THAT(complaint(), HasSubstr(what + " gave no usable answer"));
}

TEST_F(OracleTest, AReferenceThatTakesTooLongIsEndedAndTheNextCallHasANewOne) {
  answers({{.says = {}}});
  Oracle oracle(task);
  oracle.limit().call_seconds = 0.02;
  EXPECT_THAT([&] { call(oracle, which); },
              ThrowsMessage<TooSlow>(AllOf(HasSubstr("on case small did not finish within 0.02 s"),
                                           HasSubstr("--reference-limit"))));
  EXPECT_THROW(call(oracle, which), TooSlow) << "not the first call's answer";
  oracle.limit().deadline = ReferenceLimit::Clock::now();
  EXPECT_THAT([&] { call(oracle, which); }, ThrowsMessage<TooSlow>(HasSubstr("--max-seconds")));
}

TEST_F(OracleTest, OnlyAProblemInPythonDrawsInputs) {
  Oracle oracle(task);
  EXPECT_THAT([&] { oracle.draw(which, 1, {}, {}); },
              ThrowsMessage<base::Error>(AllOf(HasSubstr("task rows"), HasSubstr("reference.py"))));
}

TEST_F(OracleTest, GivesScalarsAsKernelsGetThem) {
  which.bindings = {{"n", 100}};
  task.scalars = {{"alpha", core::DType::f32, 0.1, {}},
                  {"count", core::DType::i32, 0, *base::Expr::parse("2 * n")}};
  const auto scalars = scalars_of(task, which);
  ASSERT_EQ(scalars.size(), 2u);
  EXPECT_FALSE(scalars[0].is_integer);
  EXPECT_EQ(scalars[0].number, static_cast<double>(0.1f)) << "rounded to its type";
  EXPECT_TRUE(scalars[1].is_integer);
  EXPECT_EQ(scalars[1].integer, 200);
}

}  // namespace
}  // namespace hone::runner
