#pragma once
// How figures, times and names look to a person: three significant digits and a unit, one way
// everywhere. Pure functions, any thread. Names, messages and sources come from strangers, so
// whatever is printed for a person passes through printable() first.
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "base/printable.h"

namespace hone::text {

std::string format_seconds(double seconds);    // "12.3 µs", "4.51 ms", "95.0 s", "12 min 5 s"
std::string format_time_left(double seconds);  // "about 10 min left", "about 40 s left"
std::string format_rate(double per_second,
                        std::string_view unit);  // (3.21e12, "B/s"): "3.21 TB/s"; powers of 1000
std::string format_bytes(double bytes);          // "64.0 MiB"; powers of 1024
std::string format_percent(double fraction);     // 0.456: "45.6 %"
std::string format_ratio(double ratio);          // "1.23×"
// A metric by its unit hint ("s", "B/s", "flop/s", "B", "W", "C", "MHz", "%", "1", ...); an unknown
// hint is put behind the number.
std::string format_value(double value, std::string_view hint);
std::string format_number(double value);  // three significant digits, counts in full
std::string format_time(
    std::chrono::sys_time<std::chrono::milliseconds> when);  // local time: "2025-03-01 14:05:09"
std::string format_bar(double fraction,
                       int width);  // "██████▍   ": how close to the ceiling; clamped to 0..1

// Without anything that could move a cursor or hide text: control characters and broken UTF-8
// become "\x1b" and the like.
using base::printable;
using base::printable_lines;

// Where a command prints to. Colours and cutting to the width happen on a terminal only; a pipe
// gets plain, whole lines.
struct Screen {
  bool colours = false;
  int width = 0;  // 0: no limit
};
Screen screen_of(std::FILE* stream);  // no colours where NO_COLOR is set or TERM is dumb

enum class Colour { plain, good, bad, doubtful, faint, strong };
std::string paint(std::string_view text, Colour colour, const Screen& screen);

}  // namespace hone::text
