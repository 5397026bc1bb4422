#include "text/format.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace hone::text {
namespace {

struct Unit {
  double size;
  std::string_view name;
};

std::string three_digits(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "-infinite";
  const double magnitude = std::fabs(value);
  if (magnitude < 9.995) return fmt::format("{:.2f}", value);
  if (magnitude < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// The largest unit in which the value, rounded to three digits, is at least 1: 999.7 µs is 1.00 ms.
std::string scaled(double value, std::span<const Unit> units) {
  if (!std::isfinite(value)) return three_digits(value);
  constexpr double rounds_to_one = 0.9995;
  const Unit* chosen = &units.back();
  for (const Unit& unit : units)
    if (std::fabs(value) >= rounds_to_one * unit.size) {
      chosen = &unit;
      break;
    }
  return fmt::format("{} {}", three_digits(value / chosen->size), chosen->name);
}

constexpr std::array<Unit, 4> second_units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
constexpr std::array<Unit, 6> byte_units{{{1ull << 50, "PiB"},
                                          {1ull << 40, "TiB"},
                                          {1ull << 30, "GiB"},
                                          {1ull << 20, "MiB"},
                                          {1ull << 10, "KiB"},
                                          {1, "B"}}};
constexpr std::array<Unit, 6> prefixes{
    {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};

}  // namespace

std::string format_seconds(double seconds) {
  constexpr double minute = 60;
  if (seconds == 0) return "0 s";
  if (std::isfinite(seconds) && seconds >= 2 * minute) {
    const auto whole = static_cast<long long>(std::llround(seconds));
    return whole >= 7200 ? fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60)
                         : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  return scaled(seconds, second_units);
}

std::string format_time_left(double seconds) {
  constexpr double minute = 60;
  return seconds >= 1.5 * minute ? fmt::format("about {:.0f} min left", seconds / minute)
                                 : fmt::format("about {:.0f} s left", std::max(1.0, seconds));
}

std::string format_rate(double per_second, std::string_view unit) {
  if (per_second == 0) return fmt::format("0 {}", unit);
  return scaled(per_second, prefixes) + (std::isfinite(per_second) ? std::string(unit) : "");
}

std::string format_bytes(double bytes) {
  if (std::fabs(bytes) < 1024) return fmt::format("{:.0f} B", bytes);
  return scaled(bytes, byte_units);
}

std::string format_percent(double fraction) { return three_digits(100 * fraction) + " %"; }
std::string format_ratio(double ratio) { return three_digits(ratio) + "×"; }

std::string format_number(double value) {
  if (!std::isfinite(value)) return three_digits(value);
  constexpr double exact =
      1e15;  // whole numbers up to here are counts, and doubles hold them exactly
  if (value == std::floor(value) && std::fabs(value) < exact) return fmt::format("{:.0f}", value);
  const double magnitude = std::fabs(value);
  return magnitude >= 1e-3 && magnitude < 1e6 ? fmt::format("{:.4g}", value)
                                              : fmt::format("{:.2e}", value);
}

std::string format_value(double value, std::string_view hint) {
  if (!std::isfinite(value)) return three_digits(value);
  if (hint == "s") return format_seconds(value);
  if (hint == "B") return format_bytes(value);
  if (hint == "%") return three_digits(value) + " %";
  if (hint == "fraction") return format_percent(value);
  if (hint == "C") return format_number(value) + " °C";
  if (hint.ends_with("/s") || hint == "Hz") return format_rate(value, hint);
  if (hint.empty() || hint == "1") return format_number(value);
  return fmt::format("{} {}", format_number(value), hint);
}

std::string format_time(std::chrono::sys_time<std::chrono::milliseconds> when) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count();
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return "?";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string format_bar(double fraction, int width) {
  static constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double clamped = std::isnan(fraction) ? 0 : std::clamp(fraction, 0.0, 1.0);
  const int steps = static_cast<int>(std::lround(clamped * width * 8));
  std::string bar;
  for (int i = 0; i < steps / 8; ++i) bar += "█";
  bar += eighths[static_cast<std::size_t>(steps % 8)];
  bar.append(static_cast<std::size_t>(width - (steps + 7) / 8), ' ');
  return bar;
}

Screen screen_of(std::FILE* stream) {
  const int fd = ::fileno(stream);
  if (::isatty(fd) == 0) return {};
  const char *no_colour = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  Screen screen;
  screen.colours = (no_colour == nullptr || *no_colour == '\0') && term != nullptr &&
                   std::string_view(term) != "dumb";
  if (winsize size{}; ::ioctl(fd, TIOCGWINSZ, &size) == 0) screen.width = size.ws_col;
  return screen;
}

std::string paint(std::string_view text, Colour colour, const Screen& screen) {
  static constexpr std::array<std::string_view, 6> codes{"", "32", "31", "33", "2", "1"};
  const auto code = codes[static_cast<std::size_t>(colour)];
  if (!screen.colours || code.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace hone::text
