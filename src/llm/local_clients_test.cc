#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>

#include <chrono>
#include <fstream>
#include <future>
#include <thread>

#include "base/error.h"
#include "base/fd.h"
#include "base/files.h"
#include "llm/client.h"
#include "llm/exec_client.h"
#include "llm/mailbox_client.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Request local_question(const std::string& step = "g001/writer-1/try-1") {
  Request request;
  request.role = "writer";
  request.step = step;
  request.prompt.system = "You write kernels.";
  request.prompt.sections = {{"Task", "Add two vectors.", 0}, {"Findings", "None yet.", 2}};
  return request;
}

ToolDefinition selection() { return {"select", "Choose a basis.", R"({"type":"object"})"}; }

Fault fault_of(LlmClient& client, const Request& request = local_question(),
               const Cancel& cancel = Cancel(false)) {
  auto result = client.ask(request, cancel);
  EXPECT_FALSE(result.ok());
  return result.ok() ? Fault{} : result.error();
}

// An orphan stays a zombie until init gets round to it; that counts as ended.
bool alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return (stat >> number >> name >> state) && state != "Z";
}

// Until something is so; a test that never gets there fails by the runner's time limit.
template <typename Condition>
void wait_until(const Condition& condition) {
  while (!condition()) std::this_thread::yield();
}

struct InAFolder : ::testing::Test {
  base::TemporaryFolder folder{"hone-llm-test"};
  std::filesystem::path at(const std::string& name) const { return folder.path() / name; }
};
using Exec = InAFolder;
using Mailbox = InAFolder;

TEST_F(Exec, GivesThePromptOnStdinAndTakesStdout) {
  ExecClient client("cat; echo ready");
  const Cancel cancel(false);
  const auto reply = client.ask(local_question(), cancel);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(
      reply->text,
      "You write kernels.\n\n## Task\n\nAdd two vectors.\n\n## Findings\n\nNone yet.\nready\n");
  EXPECT_EQ(reply->arguments, "");
  EXPECT_EQ(client.price_name(), "");
}

TEST_F(Exec, TellsTheShapeInWordsWhereAToolIsAskedFor) {
  ExecClient client("cat");
  auto request = local_question();
  request.tool = selection();
  const auto reply = client.ask(request, Cancel(false));
  ASSERT_TRUE(reply.ok());
  EXPECT_THAT(reply->text, AllOf(HasSubstr("Choose a basis."), HasSubstr(R"({"type":"object"})")));
}

TEST_F(Exec, SetsRoleAndStepInTheEnvironment) {
  ExecClient client("echo $HONE_ROLE $HONE_STEP");
  EXPECT_EQ(client.ask(local_question(), Cancel(false))->text, "writer g001/writer-1/try-1\n");
}

TEST_F(Exec, TakesALargeAnswerWhileNobodyReadsTheLargePrompt) {
  ExecClient client("head -c 3000000 /dev/zero | tr '\\0' x");
  auto request = local_question();
  request.prompt.sections[0].text.assign(5'000'000, 'p');
  EXPECT_EQ(client.ask(request, Cancel(false))->text.size(), 3'000'000u);
}

TEST_F(Exec, SaysTheEndOfStderrWhereTheCommandFails) {
  ExecClient client("echo 'the quota is used up' >&2; exit 3");
  const auto fault = fault_of(client);
  EXPECT_EQ(fault.kind, FaultKind::server);
  EXPECT_THAT(fault.text, AllOf(HasSubstr("exited with 3"), HasSubstr("the quota is used up")));
}

TEST_F(Exec, RejectsACommandThatDoesNotExist) {
  ExecClient client("no-such-program-anywhere");
  EXPECT_EQ(fault_of(client).kind, FaultKind::rejected);
}

TEST_F(Exec, CallsSilenceAnEmptyAnswer) {
  ExecClient client("echo; echo thinking >&2");
  const auto fault = fault_of(client);
  EXPECT_EQ(fault.kind, FaultKind::empty);
  EXPECT_THAT(fault.text, HasSubstr("thinking"));
}

TEST_F(Exec, SaysWhichSignalEndedTheCommand) {
  ExecClient client("kill -9 $$");
  EXPECT_THAT(fault_of(client).text, HasSubstr("signal 9"));
}

TEST_F(Exec, EndsTheWholeProcessGroupWhenCancelled) {
  const auto pids = at("pids");
  ExecClient client("sleep 1000 & echo $! > " + pids.string() + ".new; mv " + pids.string() +
                    ".new " + pids.string() + "; wait");
  Cancel cancel(false);
  auto asked = std::async(std::launch::async, [&] { return client.ask(local_question(), cancel); });
  wait_until([&] { return std::filesystem::exists(pids); });
  cancel = true;
  const auto result = asked.get();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, FaultKind::cancelled);
  const pid_t left = std::stoi(base::read_file(pids));
  wait_until([&] { return !alive(left); });
}

TEST_F(Exec, EndsWhatTheCommandLeftBehind) {
  ExecClient client("sleep 1000 & echo $!");
  const auto reply = client.ask(local_question(), Cancel(false));
  ASSERT_TRUE(reply.ok());
  const pid_t left = std::stoi(reply->text);
  wait_until([&] { return !alive(left); });
}

TEST_F(Exec, EndsACommandThatTakesTooLong) {
  ExecClient client("sleep 1000", std::chrono::milliseconds(10));
  EXPECT_EQ(fault_of(client).kind, FaultKind::timed_out);
}

TEST_F(Exec, EndsACommandThatWritesWithoutEnd) {
  ExecClient client("yes");
  const auto fault = fault_of(client);
  EXPECT_EQ(fault.kind, FaultKind::malformed);
  EXPECT_THAT(fault.text, HasSubstr("16 MiB"));
}

TEST_F(Exec, GivesAndTakesUtf8Whatever) {
  ExecClient client("cat; printf 'r\\351sum\\351'");
  auto request = local_question();
  request.prompt.sections[0].text = "caf\xe9";
  const auto reply = client.ask(request, Cancel(false));
  ASSERT_TRUE(reply.ok());
  EXPECT_THAT(reply->text,
              AllOf(HasSubstr("caf\xef\xbf\xbd"), HasSubstr("r\xef\xbf\xbdsum\xef\xbf\xbd")));
}

TEST_F(Mailbox, DoesNotEndARunForAnAnswerThatIsTooLong) {
  MailboxClient client(at("box"));
  const auto answer = at("box") / (mailbox_name(local_question()) + ".answer.md");
  base::write_file_atomically(answer, "");
  std::filesystem::resize_file(answer, (std::uintmax_t{16} << 20) + 1);
  EXPECT_EQ(fault_of(client).kind, FaultKind::malformed);
}

TEST_F(Mailbox, WritesThePromptAndTakesTheAnswer) {
  MailboxClient client(at("box"));
  const auto request = local_question();
  const auto name = mailbox_name(request);
  auto asked = std::async(std::launch::async, [&] { return client.ask(request, Cancel(false)); });
  const auto prompt = at("box") / (name + ".prompt.md");
  wait_until([&] { return std::filesystem::exists(prompt); });
  EXPECT_THAT(
      base::read_file(prompt),
      AllOf(HasSubstr("role: writer"), HasSubstr("step: g001/writer-1/try-1"),
            HasSubstr(name + ".answer.md"), HasSubstr("rename"), HasSubstr("Add two vectors.")));
  base::write_file_atomically(at("box") / (name + ".answer.md"), "Here it is.\n");
  const auto reply = asked.get();
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->text, "Here it is.\n");
  EXPECT_TRUE(std::filesystem::exists(prompt));
}

TEST_F(Mailbox, HoldsManyQuestionsAtOnce) {
  MailboxClient client(at("box"));
  std::vector<std::future<std::string>> asked;
  for (int i = 0; i < 8; ++i)
    asked.push_back(std::async(std::launch::async, [&, i] {
      return client.ask(local_question("g001/writer-" + std::to_string(i)), Cancel(false))->text;
    }));
  for (int i = 7; i >= 0; --i) {
    const auto name = mailbox_name(local_question("g001/writer-" + std::to_string(i)));
    wait_until([&] { return std::filesystem::exists(at("box") / (name + ".prompt.md")); });
    base::write_file_atomically(at("box") / (name + ".answer.md"), std::to_string(i));
  }
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(asked[static_cast<std::size_t>(i)].get(), std::to_string(i));
}

TEST_F(Mailbox, TakesAnAnswerThatLiesThereAlready) {
  MailboxClient client(at("box"));
  base::write_file_atomically(at("box") / (mailbox_name(local_question()) + ".answer.md"),
                              "from before");
  EXPECT_EQ(client.ask(local_question(), Cancel(false))->text, "from before");
}

TEST_F(Mailbox, DoesNotReadAnAnswerThatIsStillBeingWritten) {
  const auto path = at("answer.md");
  {
    base::Fd writer(::open(path.c_str(), O_WRONLY | O_CREAT, 0644));
    EXPECT_EQ(whole_answer(path), std::nullopt);
    ASSERT_EQ(::write(writer.get(), "half", 4), 4);
    EXPECT_EQ(whole_answer(path), std::nullopt);
    ASSERT_EQ(::write(writer.get(), " and half", 9), 9);
  }
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1));
  EXPECT_EQ(whole_answer(path), "half and half");
}

TEST_F(Mailbox, DoesNotTakeABlankFileForAnAnswer) {
  base::write_file_atomically(at("answer.md"), " \n");
  EXPECT_EQ(whole_answer(at("answer.md")), std::nullopt);
}

TEST_F(Mailbox, NamesFilesSoThatTwoRunsDoNotMeet) {
  auto other = local_question();
  other.prompt.sections[0].text = "Multiply two matrices.";
  EXPECT_NE(mailbox_name(local_question()), mailbox_name(other));
  EXPECT_THAT(mailbox_name(local_question()),
              AllOf(HasSubstr("g001_writer-1_try-1-"), Not(HasSubstr("/"))));
  EXPECT_THAT(mailbox_name(local_question("../../etc/passwd")),
              AllOf(Not(HasSubstr("/")), Not(::testing::StartsWith("."))));
}

TEST_F(Mailbox, StopsWaitingWhenCancelledOrClosed) {
  MailboxClient client(at("box"));
  EXPECT_EQ(fault_of(client, local_question(), Cancel(true)).kind, FaultKind::cancelled);
  base::write_file_atomically(at("box") / "closed", "");
  EXPECT_EQ(fault_of(client).kind, FaultKind::exhausted);
}

}  // namespace
}  // namespace hone::llm
