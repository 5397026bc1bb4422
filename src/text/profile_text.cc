#include "text/profile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text/table.h"

namespace hone::text {
namespace {

// Whole words in lines of the screen's width, each behind `indent` spaces; one line where the
// screen has no width.
std::string wrapped(std::string_view text, std::size_t indent, const Screen& screen) {
  constexpr std::size_t narrowest = 40;
  const std::string margin(indent, ' ');
  if (screen.width <= 0) return margin + std::string(text) + "\n";
  const std::size_t width = std::max(narrowest, static_cast<std::size_t>(screen.width)) - indent;
  std::string out, line;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      out += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return out + margin + line + "\n";
}

// "why: ..." behind a coloured name.
std::string said(const char* name, const std::string& text, const Screen& screen) {
  constexpr std::size_t indent = 5;
  if (text.empty()) return "";
  return wrapped(paint(name, Colour::faint, screen) + " " + printable(text), indent, screen);
}

Colour colour_of(core::Severity severity) {
  if (severity == core::Severity::critical) return Colour::bad;
  return severity == core::Severity::major ? Colour::doubtful : Colour::plain;
}

std::string place_of(const core::Advice& advice) {
  std::string place = advice.launch ? fmt::format("launch {}", *advice.launch) : "the whole call";
  if (!advice.lines.empty())
    place += fmt::format(", line{} {}", advice.lines.size() > 1 ? "s" : "",
                         fmt::join(advice.lines, ", "));
  return place;
}

std::string advice_text(const core::Advice& advice, const Screen& screen) {
  std::string out =
      fmt::format("  {} {} {} [{}]\n", paint(printable(advice.id), Colour::strong, screen),
                  paint(core::name_of(advice.severity), colour_of(advice.severity), screen),
                  paint(printable(advice.title), Colour::strong, screen), printable(advice.tool));
  out += said("gain:", fmt::format("{}. {}", gain_text(advice.gain), advice.model), screen);
  out += said("evidence:", advice.evidence, screen);
  out += said("cause:", advice.cause, screen);
  out += said("do:", advice.recommendation, screen);
  return out + said("where:", place_of(advice), screen);
}

std::string hot_lines_text(const std::vector<core::HotLine>& lines, const Screen& screen) {
  constexpr std::size_t most_stalls = 3;  // of a line: the rest is small
  Table table({{"", {}},
               {"line", Column::Align::right},
               {"samples", Column::Align::right},
               {"stalls"},
               {"source"}});
  for (const auto& hot : lines) {
    std::string stalls;
    for (std::size_t i = 0; i < std::min(hot.stalls.size(), most_stalls); ++i)
      stalls += fmt::format("{}{} {:.0f} %", stalls.empty() ? "" : ", ",
                            printable(hot.stalls[i].first), 100 * hot.stalls[i].second);
    const auto code = hot.text.find_first_not_of(" \t");
    table.add(
        {"", hot.line > 0 ? std::to_string(hot.line) : "-", format_percent(hot.share), stalls,
         code == std::string::npos ? "" : printable(std::string_view(hot.text).substr(code))});
  }
  return table.text(screen);
}

std::string cost_text(const std::vector<core::Profile::Part>& parts) {
  double all = 0;
  std::string text;
  for (const auto& part : parts) {
    all += part.seconds;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", printable(part.name),
                        format_seconds(part.seconds));
  }
  return fmt::format("explaining took {}: {}\n", format_seconds(all), text);
}

std::string diagnosis_text(const core::Profile& profile, const Screen& screen) {
  const core::Diagnosis& d = profile.diagnosis;
  std::string out =
      fmt::format("{}: {} a call in case {}\n",
                  paint(fmt::format("{}-bound", core::name_of(d.bound)), Colour::strong, screen),
                  format_seconds(profile.seconds), printable(profile.case_name));
  if (d.bound == core::Bound::mixed)
    out.replace(out.find("mixed-bound"), std::string("mixed-bound").size(), "mixed");
  if (!d.reason.empty()) out += wrapped(printable(d.reason), 2, screen);
  if (!d.disagreement.empty()) out += wrapped(printable(d.disagreement), 2, screen);
  return out;
}

}  // namespace

std::string gain_text(const core::Interval& gain) {
  const auto times = [](double percent) {
    return format_ratio(1 / std::max(0.01, 1 - percent / 100));
  };
  return fmt::format("{:.3g} to {:.3g} % of the call's time, {} to {} as fast", gain.low, gain.high,
                     times(gain.low), times(gain.high));
}

std::string profile_text(const core::Profile& profile, const Screen& screen) {
  std::string out = diagnosis_text(profile, screen);
  const auto section = [&](const char* title) {
    out += "\n" + paint(title, Colour::strong, screen) + "\n";
  };
  section("advice");
  if (profile.advice.empty()) out += "  none: no tool has anything to say\n";
  for (const auto& advice : profile.advice) out += advice_text(advice, screen);
  if (!profile.hot_lines.empty()) {
    section("hottest lines");
    out += hot_lines_text(profile.hot_lines, screen);
  }
  if (!profile.left_out.empty()) {
    section("tools left out");
    for (const auto& one : profile.left_out)
      out += wrapped(fmt::format("{}: {}", printable(one.tool), printable(one.why)), 2, screen);
  }
  if (!profile.notes.empty()) {
    section("notes");
    for (const auto& note : profile.notes) out += wrapped(printable(note), 2, screen);
  }
  return out + "\n" + measured_text(profile) + cost_text(profile.parts);
}

}  // namespace hone::text
