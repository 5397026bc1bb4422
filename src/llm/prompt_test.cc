#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/client.h"
#include "llm/http.h"
#include "llm/prompt.h"
#include "llm/sse.h"

namespace hone::llm {
namespace {

Prompt prompt() {
  Prompt made;
  made.system = "system";
  made.sections = {{"Task", "must stay", 0},
                   {"Old", "history", 5},
                   {"Cards", "cards", 3},
                   {"Older", "history", 5}};
  return made;
}

TEST(PromptText, PutsEachSectionUnderItsTitle) {
  Prompt made;
  made.sections = {{"A", "one", 0}, {"", "two\n", 0}, {"C", "three", 0}};
  EXPECT_EQ(render(made), "## A\n\none\n\ntwo\n\n## C\n\nthree\n");
  EXPECT_EQ(render(Prompt{}), "");
}

TEST(PromptText, LosesItsLeastUsefulSectionFirstAndTheLastOfEquals) {
  std::vector<std::string> gone;
  for (auto left = std::optional(prompt()); left;) {
    const auto shorter = shrunk(*left);
    if (!shorter) break;
    for (std::size_t i = 0; i < left->sections.size(); ++i)
      if (i == shorter->sections.size() || left->sections[i].title != shorter->sections[i].title) {
        gone.push_back(left->sections[i].title);
        break;
      }
    left = shorter;
  }
  EXPECT_EQ(gone, (std::vector<std::string>{"Older", "Old", "Cards"}));
}

TEST(PromptText, HasAHashOfWhatTheModelSees) {
  auto other = prompt();
  other.template_hash = "t";
  other.sections[1].drop = 1;
  EXPECT_EQ(hash_of(prompt()), hash_of(other));
  other.sections[1].text += "!";
  EXPECT_NE(hash_of(prompt()), hash_of(other));
  other = prompt();
  other.system = "another";
  EXPECT_NE(hash_of(prompt()), hash_of(other));
}

TEST(JsonIn, TakesTheArgumentsOfACall) {
  EXPECT_EQ(json_in(Reply{.text = "{\"a\":1}", .arguments = "{\"b\":2}"}), "{\"b\":2}");
}

TEST(JsonIn, FindsTheLastObjectInAText) {
  const auto in = [](const std::string& text) {
    return json_in(Reply{.text = text}).value_or("none");
  };
  EXPECT_EQ(in("First {\"a\": 1}, then:\n```json\n{\"b\": {\"c\": \"}\"}}\n```\nDone."),
            "{\"b\": {\"c\": \"}\"}}");
  EXPECT_EQ(in("kernel(x) { if (y) { return; } } {\"a\": [1, {}]} }"), "{\"a\": [1, {}]}");
  EXPECT_EQ(in("\"quote { {\"a\": \"\\\"}\"}"), "{\"a\": \"\\\"}\"}");
  EXPECT_EQ(in("{ broken"), "none");
  EXPECT_EQ(in("[1, 2]"), "none");
  EXPECT_EQ(in(""), "none");
}

TEST(JsonIn, EndsOnHostileText) {
  EXPECT_EQ(json_in(Reply{.text = std::string(4 << 20, '{')}), std::nullopt);
}

TEST(Faults, HaveNamesAndSomeAreWorthRetrying) {
  EXPECT_EQ(name_of(FaultKind::rate_limited), "rate_limited");
  EXPECT_EQ(name_of(FaultKind::over_budget), "over_budget");
  for (const auto kind : {FaultKind::rate_limited, FaultKind::server, FaultKind::timed_out,
                          FaultKind::cut_off, FaultKind::malformed, FaultKind::empty})
    EXPECT_TRUE(worth_retrying(kind)) << name_of(kind);
  for (const auto kind : {FaultKind::too_long, FaultKind::refused, FaultKind::rejected,
                          FaultKind::exhausted, FaultKind::cancelled, FaultKind::over_budget})
    EXPECT_FALSE(worth_retrying(kind)) << name_of(kind);
}

TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(seconds_until("120", 0), 120);
  EXPECT_EQ(seconds_until(" 0.5 ", 0), 0.5);
  EXPECT_EQ(seconds_until("Wed, 21 Oct 2015 07:28:00 GMT", 1445412480 - 30), 30);
  EXPECT_EQ(seconds_until("Wed, 21 Oct 2015 07:28:00 GMT", 1445412480 + 30), 0);
  for (const char* text : {"", "soon", "-5", "12x", "nan"})
    EXPECT_EQ(seconds_until(text, 0), std::nullopt) << text;
}

std::vector<std::string> events_of(const std::string& stream, std::size_t size) {
  SseReader reader;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < stream.size(); at += size)
    reader.feed(std::string_view(stream).substr(at, size),
                [&](const std::string& event, const std::string& data) {
                  events.push_back(event + "|" + data);
                  return true;
                });
  return events;
}

TEST(Sse, IsReadAlikeHoweverItIsCut) {
  const std::string stream =
      "\xef\xbb\xbf: a comment\r\nevent: one\r\ndata: first\r\ndata:second\r\n\r\n\n\ndata\n\nid: "
      "7\rdata: third\r\revent: lost\n\n"
      "data: not ended\n";
  const std::vector<std::string> expected = {"one|first\nsecond", "|", "|third"};
  for (std::size_t size = 1; size <= stream.size(); ++size)
    EXPECT_EQ(events_of(stream, size), expected) << size;
}

TEST(Sse, StopsWhenItIsToldTo) {
  SseReader reader;
  int seen = 0;
  EXPECT_FALSE(reader.feed("data: 1\n\ndata: 2\n\n",
                           [&](const std::string&, const std::string&) { return ++seen < 1; }));
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace hone::llm
