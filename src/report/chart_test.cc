#include "report/chart.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

Chart a_chart() {
  Chart chart;
  chart.title = "softmax <fast> & \"more\"";
  chart.time_text = [](double seconds) { return fmt::format("{:.0f} us", 1e6 * seconds); };
  chart.series = {{"scientist",
                   {{1e-3, "accepted", "00001", false},
                    {std::nullopt, "wrong", "00002 wrong", false},
                    {2e-3, "accepted", "00003", false},
                    {1e-4, "accepted", "00004", true}}}};
  chart.seed = 1e-3;
  return chart;
}

TEST(Chart, HasAPointForEachCandidateAndALineForTheBest) {
  const std::string text = svg(a_chart());
  EXPECT_THAT(text, AllOf(::testing::StartsWith("<svg"), ::testing::EndsWith("</svg>\n")));
  EXPECT_EQ(count(text, "<circle class=\"p0\""), 3 + 1) << "three points and the legend";
  EXPECT_EQ(count(text, "class=\"failed s0\""), 1 + 1) << "one failure and the legend";
  EXPECT_EQ(count(text, "class=\"certified"), 1);
  EXPECT_EQ(count(text, "class=\"best"), 1);
  EXPECT_THAT(text, AllOf(HasSubstr("<title>00002 wrong</title>"), HasSubstr(">100 us<"),
                          HasSubstr(">1000 us<"), HasSubstr(">seed<"),
                          HasSubstr("prefers-color-scheme: dark")));
}

TEST(Chart, LetsNoTextBecomeMarkup) {
  Chart chart = a_chart();
  chart.series[0].points[0].label = "</title><script>alert(1)</script>\x01";
  chart.series[0].name = "<b>";
  const std::string text = svg(chart);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("<b>")), Not(HasSubstr("\x01")),
                          HasSubstr("softmax &lt;fast&gt; &amp; &quot;more&quot;")));
}

TEST(Chart, IsDrawnWhateverThereIs) {
  Chart chart = a_chart();
  chart.series[0].points.clear();
  chart.seed.reset();
  for (const std::string& text : {svg(chart), [] {
                                    Chart one = a_chart();
                                    one.series[0].points.resize(1);
                                    return svg(one);
                                  }()})
    EXPECT_THAT(text, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")), HasSubstr("</svg>")));
}

TEST(Chart, PutsTheControlArmBesideTheRun) {
  Chart chart = a_chart();
  chart.series.push_back({"oneshot", {{5e-4, "accepted", "00001", false}}});
  EXPECT_THAT(svg(chart), AllOf(HasSubstr("class=\"best s1\""), HasSubstr(">oneshot<")));
}

}  // namespace
}  // namespace hone::report
