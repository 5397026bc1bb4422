#include "mcp/messages.h"

#include <gtest/gtest.h>

#include "base/fields.h"
#include "base/json_probe.h"

namespace hone::mcp {
namespace {

int code_of(const std::string& line) {
  const auto message = message_from(line);
  return message ? 0 : message.error().code;
}

TEST(Message, OfTheEarlierRevisionHasNoVersion) {
  const auto message =
      message_from(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}})");
  ASSERT_TRUE(message.ok());
  EXPECT_EQ((*message)->id->text, "7");
  EXPECT_EQ((*message)->method, "tools/call");
  EXPECT_FALSE((*message)->version);
}

TEST(Message, OfTheLaterRevisionSaysItsVersionAndCapabilities) {
  const std::string start = R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"_meta":{)";
  const std::string version = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
  const std::string capabilities = R"(,"io.modelcontextprotocol/clientCapabilities":{})";
  const auto whole = message_from(start + version + capabilities + "}}}");
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ((*whole)->version, modern_version);
  EXPECT_EQ(code_of(start + version + "}}}"), code::invalid_params);
  const auto old = message_from(start + R"("io.modelcontextprotocol/protocolVersion":"1.0")" +
                                capabilities + "}}}");
  ASSERT_FALSE(old.ok());
  EXPECT_EQ(old.error().code, code::unsupported_version);
  EXPECT_EQ(base::JsonProbe(old.error().data->text)["supported"].dump(), R"(["2026-07-28"])");
}

TEST(Message, WithoutAnIdIsANotificationAndWithoutAMethodAResponse) {
  EXPECT_FALSE((*message_from(R"({"jsonrpc":"2.0","method":"m"})"))->id);
  EXPECT_FALSE(*message_from(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
}

TEST(Message, ThatCannotBeUsedIsRefusedWithItsId) {
  EXPECT_EQ(code_of("{"), code::parse_error);
  EXPECT_EQ(code_of("[]"), code::invalid_request);
  EXPECT_EQ(code_of("{}"), code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":{},"method":"m"})"), code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})"), code::invalid_request);
  EXPECT_EQ(code_of(std::string(100'000, '[')), code::parse_error);
  const auto message = message_from(R"({"jsonrpc":"2.0","id":"x","method":"m","params":[]})");
  ASSERT_FALSE(message.ok());
  EXPECT_EQ(message.error().code, code::invalid_params);
  EXPECT_EQ(message.error().id->text, R"("x")");
}

TEST(ResultLine, HasTheFieldsOfItsRevision) {
  const auto body = [](base::Fields& f) { f("answer", 42); };
  const base::JsonProbe old(result_line({"1"}, body, {false, true}));
  EXPECT_EQ(old["result"].dump(), R"({"answer":42})");
  const base::JsonProbe current(result_line({"1"}, body, {true, true}));
  EXPECT_EQ(current["result"]["resultType"], "complete");
  EXPECT_EQ(current["result"]["cacheScope"], "private");
  const auto server = current["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
  EXPECT_EQ(server["name"], "hone");
}

TEST(ErrorLine, LeavesAnIdThatIsNotKnownOut) {
  EXPECT_FALSE(base::JsonProbe(error_line({code::parse_error, "no", {}, {}})).contains("id"));
}

}  // namespace
}  // namespace hone::mcp
