#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "llm/client.h"
#include "llm/endpoint.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const std::string& spec) {
  try {
    make_client(spec);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::usage) << spec;
    return error.what();
  }
  ADD_FAILURE() << "no Error: " << spec;
  return "";
}

struct Specs : ::testing::Test {
  void SetUp() override {
    ::setenv("OPENAI_API_KEY", "sk-openai", 1);
    ::setenv("ANTHROPIC_API_KEY", "sk-anthropic", 1);
    ::unsetenv("OPENAI_BASE_URL");
    ::unsetenv("ANTHROPIC_BASE_URL");
  }
  static Endpoint openai(const std::string& rest) { return endpoint_of(openai_provider, rest); }
  static Endpoint anthropic(const std::string& rest) {
    return endpoint_of(anthropic_provider, rest);
  }
};

TEST_F(Specs, ListAllFormsWhereOneIsUnknown) {
  for (const char* spec : {"", "gpt-5", "gemini:pro", "replay"})
    EXPECT_THAT(error_of(spec), HasSubstr("names no model")) << spec;
  EXPECT_THAT(error_of("gpt-5"),
              AllOf(HasSubstr("openai:MODEL"), HasSubstr("anthropic:MODEL"),
                    HasSubstr("exec:COMMAND"), HasSubstr("mailbox:DIR"), HasSubstr("replay:FILE"),
                    HasSubstr("replay-strict:FILE"), HasSubstr("record:FILE,MODEL")));
}

TEST_F(Specs, AreKeptAsNames) {
  base::TemporaryFolder folder("hone-spec-test");
  const std::string file = (folder.path() / "a.jsonl").string(),
                    box = (folder.path() / "box").string();
  for (const std::string& spec :
       {std::string("openai:gpt-5?temperature=0.7"),
        std::string("anthropic:claude@http://localhost:1/x"), std::string("exec:cat -n"),
        "mailbox:" + box, "record:" + file + ",exec:cat, dog", "replay:" + file,
        "replay-strict:" + file})
    EXPECT_EQ(make_client(spec)->name(), spec);
}

TEST_F(Specs, GiveTheNameThatThePriceTableIsAskedFor) {
  EXPECT_EQ(make_client("openai:gpt-5")->price_name(), "api.openai.com/gpt-5");
  EXPECT_EQ(make_client("openai:deepseek-flash@https://api.deepseek.com")->price_name(),
            "api.deepseek.com/deepseek-flash");
  EXPECT_EQ(make_client("exec:cat")->price_name(), "");
}

TEST_F(Specs, ReachTheServiceAndAnyOtherServer) {
  EXPECT_EQ(openai("gpt-5").url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(openai("qwen3:8b@http://localhost:11434").url,
            "http://localhost:11434/v1/chat/completions");
  EXPECT_EQ(openai("qwen3:8b@http://localhost:11434/v1/").url,
            "http://localhost:11434/v1/chat/completions");
  EXPECT_EQ(openai("g@https://generativelanguage.googleapis.com/v1beta/openai").url,
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions");
  EXPECT_EQ(anthropic("claude").url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(anthropic("d@https://api.deepseek.com/anthropic").url,
            "https://api.deepseek.com/anthropic/v1/messages");
  EXPECT_EQ(openai("@cf/meta/llama@http://[::1]:80").model, "@cf/meta/llama");
  EXPECT_EQ(openai("m@http://[::1]:80").host, "[::1]");
  EXPECT_TRUE(openai("gpt-5").first_party);
  EXPECT_FALSE(openai("gpt-5@http://localhost").first_party);
}

TEST_F(Specs, TakeABaseUrlFromTheEnvironmentToo) {
  ::setenv("OPENAI_BASE_URL", "http://10.0.0.5:8000/v1", 1);
  const auto endpoint = openai("m");
  EXPECT_EQ(endpoint.url, "http://10.0.0.5:8000/v1/chat/completions");
  EXPECT_EQ(endpoint.key, "sk-openai");
}

TEST_F(Specs, NeedAKeyExceptForALocalServer) {
  ::unsetenv("OPENAI_API_KEY");
  ::unsetenv("ANTHROPIC_API_KEY");
  EXPECT_THAT(error_of("openai:gpt-5"), HasSubstr("set OPENAI_API_KEY"));
  EXPECT_THAT(error_of("anthropic:claude"), HasSubstr("set ANTHROPIC_API_KEY"));
  EXPECT_EQ(openai("m@http://localhost:8000").key, "");
  EXPECT_THAT(error_of("openai:m@ftp://host"), HasSubstr("does not begin with http://"))
      << "the key is not at fault";
}

TEST_F(Specs, DoNotSendAKeyOverTheOpenNetwork) {
  EXPECT_EQ(openai("m@http://127.0.0.1:8000").key, "sk-openai");
  EXPECT_EQ(openai("m@http://10.0.0.5:8000").key, "");
  EXPECT_EQ(openai("m@https://10.0.0.5:8000").key, "sk-openai");
}

TEST_F(Specs, RefuseKeysInTheWrongPlaceWithoutShowingThem) {
  EXPECT_THAT(error_of("openai:m@http://user:sk-hidden@host/v1"), Not(HasSubstr("sk-hidden")));
  ::setenv("OPENAI_API_KEY", "sk-a\nsk-b", 1);
  EXPECT_THAT(error_of("openai:m"), AllOf(HasSubstr("OPENAI_API_KEY"), Not(HasSubstr("sk-a"))));
}

TEST_F(Specs, TakeOptionsThatTheProviderHas) {
  const auto endpoint =
      openai("m?temperature=0.70&reasoning_effort=high&max_output=32000&idle=1.5&timeout=20");
  EXPECT_EQ(endpoint.options.at("temperature"), "0.70");
  EXPECT_EQ(endpoint.options.at("reasoning_effort"), "\"high\"");
  EXPECT_EQ(endpoint.max_output, 32000);
  EXPECT_EQ(endpoint.times.idle.count(), 1500);
  EXPECT_EQ(endpoint.times.total.count(), 20000);
  EXPECT_EQ(anthropic("m?thinking=adaptive").options.at("thinking"), "\"adaptive\"");
  EXPECT_EQ(make_client("openai:m?max_output=5")->max_output(), 5);
}

TEST_F(Specs, RefuseOptionsThatTheyDoNotKnow) {
  EXPECT_THAT(error_of("openai:m?colour=red"),
              AllOf(HasSubstr("'colour'"), HasSubstr("temperature, top_p")));
  EXPECT_THAT(error_of("openai:m?thinking=5"), Not(HasSubstr("effort, thinking")));
  for (const char* spec :
       {"openai:m?temperature=hot", "openai:m?temperature=", "openai:m?temperature=.",
        "openai:m?seed=1.5", "openai:m?max_output=0", "openai:m?reasoning_effort=\"x", "openai:m?",
        "openai:?seed=1", "openai:m@http://", "openai:m@http://host/a b"})
    EXPECT_NE(error_of(spec), "") << spec;
}

TEST_F(Specs, OfRecordNeedAFileAndAModel) {
  EXPECT_THAT(error_of("record:answers.jsonl"), HasSubstr("record:FILE,MODEL"));
  EXPECT_THAT(error_of("record:answers.jsonl,gpt"), HasSubstr("'gpt' names no model"));
}

}  // namespace
}  // namespace hone::llm
