#include "llm/prices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/resources.h"
#include "base/toml_parser.h"

namespace hone::llm {
namespace {

class Named : public LlmClient {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  base::Result<Reply, Fault> ask(const Request&, const Cancel&) override { return Reply{}; }
  std::string name() const override { return name_; }
  std::string price_name() const override { return name_; }

 private:
  std::string name_;
};

std::optional<Price> price(const std::string& name, const std::string& given = "") {
  return price_of(Named(name), given);
}

TEST(Prices, AreFoundForAModelAndItsDatedVersions) {
  EXPECT_EQ(price("api.openai.com/gpt-5")->in, 1.25);
  EXPECT_EQ(price("api.openai.com/gpt-5-2025-08-07")->in, 1.25);
  EXPECT_EQ(price("api.openai.com/gpt-5-mini-2025-08-07")->in, 0.25);
  EXPECT_EQ(price("api.anthropic.com/claude-opus-4-5-20251101")->out, 25);
  EXPECT_EQ(price("api.anthropic.com/claude-sonnet-4-20250514")->context, 200'000);
}

TEST(Prices, AreNotGuessedForASibling) {
  for (const char* name :
       {"api.openai.com/gpt-5-pro", "api.openai.com/gpt-5.9", "api.anthropic.com/claude-sonnet-4-9",
        "api.openai.com/gpt", "localhost/gpt-5", "openrouter.ai/openai/gpt-5", "api.openai.com"})
    EXPECT_EQ(price(name), std::nullopt) << name;
}

TEST(Prices, OfTheUserWin) {
  EXPECT_EQ(price("api.openai.com/gpt-5", "3,15")->in, 3);
  EXPECT_EQ(price("unknown/x", "3,15")->cached, 3);
  EXPECT_EQ(price("unknown/x", "3,15,0.3")->cached, 0.3);
  EXPECT_EQ(price("unknown/x", "0,0")->out, 0);
  for (const char* given : {"3", "3,", ",3", "a,b", "3,4,5,6", "-1,2", "nan,1", "3;4"})
    EXPECT_THROW(price("unknown/x", given), base::Error) << given;
}

TEST(Prices, AreNothingForAClientThatCostsNothing) { EXPECT_EQ(price("")->out, 0); }

TEST(Prices, CountCachedAndWrittenTokensApart) {
  const auto listed = *price("api.anthropic.com/claude-opus-5");
  EXPECT_DOUBLE_EQ(dollars(listed, {1'000'000, 1'000'000, 0, 0}), 5 + 25);
  EXPECT_DOUBLE_EQ(dollars(listed, {1'000'000, 0, 600'000, 400'000}), 0.6 * 0.5 + 0.4 * 6.25);
}

TEST(Prices, OfLongPromptsAreHigher) {
  const auto listed = *price("api.anthropic.com/claude-haiku-5-5");
  EXPECT_DOUBLE_EQ(dollars(listed, {100'000, 0, 0, 0}), 0.01);
  EXPECT_DOUBLE_EQ(dollars(listed, {200'000, 1000, 0, 0}), 0.1 + 0.0025);
}

TEST(Prices, BoundWhatACallCanCost) {
  const auto listed = *price("api.anthropic.com/claude-haiku-5-5");
  Request request;
  request.prompt.sections = {{"T", std::string(50'000, 'x'), 0}};
  request.max_output_tokens = 1000;
  // Even if every byte were a token, and all were written to the cache.
  EXPECT_GE(most_dollars(listed, request), dollars(listed, {50'000, 1000, 0, 50'000}));
  request.prompt.sections[0].text.assign(200'000, 'x');
  EXPECT_GE(most_dollars(listed, request), dollars(listed, {200'000, 1000, 0, 200'000}));
  Request with_tool = request;
  with_tool.tool = ToolDefinition{"t", "d", std::string(10'000, ' ')};
  EXPECT_GT(most_dollars(listed, with_tool), most_dollars(listed, request));
}

TEST(Prices, InTheTableAreAllWellFormed) {
  const auto table = base::parse_toml(base::resource("prices.toml"));
  ASSERT_TRUE(table && *table);
  int rows = 0;
  for (const auto& [host, models] : table->table())
    for (const auto& [model, row] : *models.as_table()) {
      const auto found = price(std::string(host.str()) + "/" + std::string(model.str()));
      ASSERT_TRUE(found) << model.str();
      EXPECT_GT(found->out, found->in) << model.str();
      EXPECT_LE(found->cached, found->in) << model.str();
      EXPECT_GT(found->context, 0) << model.str();
      ++rows;
    }
  EXPECT_GT(rows, 20);
}

TEST(Tokens, AreAboutFourBytes) {
  EXPECT_EQ(estimated_tokens(""), 0);
  EXPECT_EQ(estimated_tokens("12345"), 2);
}

}  // namespace
}  // namespace hone::llm
