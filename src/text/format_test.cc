#include "text/format.h"

#include <gtest/gtest.h>

#include <limits>

#include "text/table.h"

namespace hone::text {
namespace {

TEST(Format, GivesTimesThreeDigitsAndAUnit) {
  EXPECT_EQ(format_seconds(12.34e-6), "12.3 µs");
  EXPECT_EQ(format_seconds(4.506e-3), "4.51 ms");
  EXPECT_EQ(format_seconds(2.5e-9), "2.50 ns");
  EXPECT_EQ(format_seconds(95), "95.0 s");
  EXPECT_EQ(format_seconds(725), "12 min 5 s");
  EXPECT_EQ(format_seconds(0), "0 s");
}

TEST(Format, SaysInWholeSecondsOrMinutesHowMuchTimeIsLeft) {
  EXPECT_EQ(format_time_left(0), "about 1 s left");
  EXPECT_EQ(format_time_left(42.4), "about 42 s left");
  EXPECT_EQ(format_time_left(89), "about 89 s left");
  EXPECT_EQ(format_time_left(600), "about 10 min left");
}

TEST(Format, ChoosesTheUnitAfterRounding) {
  EXPECT_EQ(format_seconds(999.7e-6), "1.00 ms");
  EXPECT_EQ(format_seconds(9.996e-3), "10.0 ms");
  EXPECT_EQ(format_rate(999.9e9, "B/s"), "1.00 TB/s");
}

TEST(Format, ScalesRatesByThousandsAndBytesBy1024) {
  EXPECT_EQ(format_rate(3.21e12, "B/s"), "3.21 TB/s");
  EXPECT_EQ(format_rate(790e12, "FLOP/s"), "790 TFLOP/s");
  EXPECT_EQ(format_rate(0, "B/s"), "0 B/s");
  EXPECT_EQ(format_bytes(64 << 20), "64.0 MiB");
  EXPECT_EQ(format_bytes(1000), "1000 B");
}

TEST(Format, GivesFractionsAsPercent) {
  EXPECT_EQ(format_percent(0.4561), "45.6 %");
  EXPECT_EQ(format_percent(1), "100 %");
  EXPECT_EQ(format_ratio(1.234), "1.23×");
}

TEST(Format, FollowsAMetricsHint) {
  EXPECT_EQ(format_value(1.5e-3, "s"), "1.50 ms");
  EXPECT_EQ(format_value(48, "1"), "48");
  EXPECT_EQ(format_value(61, "C"), "61 °C");
  EXPECT_EQ(format_value(312.25, "W"), "312.2 W");
  EXPECT_EQ(format_value(7, "furlong"), "7 furlong");
  EXPECT_EQ(format_value(std::numeric_limits<double>::quiet_NaN(), "s"), "not a number");
}

TEST(Format, DrawsABarOfItsWidth) {
  EXPECT_EQ(format_bar(0.5, 4), "██  ");
  EXPECT_EQ(display_width(format_bar(0.33, 20)), 20u);
  EXPECT_EQ(display_width(format_bar(7, 20)), 20u);
  EXPECT_EQ(display_width(format_bar(-1, 20)), 20u);
}

TEST(Printable, EscapesWhatCouldFoolATerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\n");
  EXPECT_EQ(printable("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe"),
            "\\u202egpj.exe");
  EXPECT_EQ(printable("\xc2\x9b"
                      "1m"),
            "\\x9b1m");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");
  EXPECT_EQ(printable_lines("a\tb\nc\r"), "a\tb\nc\\x0d");
}

TEST(Printable, KeepsOrdinaryText) {
  EXPECT_EQ(printable("12 µs, naïve, 漢字, 😀"), "12 µs, naïve, 漢字, 😀");
}

TEST(Table, AlignsByCharactersAndNotBytes) {
  Table table({{"case"}, {"time", Column::Align::right}, {"note"}});
  table.add({"small", "12.3 µs", "x"});
  table.add({"enormous", "4 s"});
  EXPECT_EQ(table.text(),
            "case         time  note\n"
            "small     12.3 µs  x\n"
            "enormous      4 s\n");
}

TEST(Table, CutsLinesOnANarrowTerminalOnly) {
  Table table({{""}, {""}});
  table.add({"abc", "defghij"});
  EXPECT_EQ(table.text({.colours = false, .width = 8}), "abc  de…\n");
  EXPECT_EQ(table.text(), "abc  defghij\n");
}

TEST(Table, SwitchesColoursOffAfterACut) {
  const Screen screen{.colours = true, .width = 4};
  Table table({{""}});
  table.add({paint("abcdefgh", Colour::bad, screen)});
  EXPECT_EQ(table.text(screen), "\x1b[31mabc…\x1b[0m\n");
}

TEST(Screen, IsPlainWhereOutputIsNoTerminal) {
  std::FILE* file = std::tmpfile();
  const Screen screen = screen_of(file);
  std::fclose(file);
  EXPECT_FALSE(screen.colours);
  EXPECT_EQ(screen.width, 0);
  EXPECT_EQ(paint("text", Colour::good, screen), "text");
}

}  // namespace
}  // namespace hone::text
