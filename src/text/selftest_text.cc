#include "text/selftest_text.h"

#include <fmt/format.h>

#include "text/table.h"

namespace hone::text {
namespace {

using judge::SelftestLine;
using State = SelftestLine::State;

// What was measured, beside the word.
std::string busy_text(const SelftestLine& line) {
  return fmt::format("undecided: this machine is busy, {:.0f} % of the time of its calls",
                     100 * line.outside_delay);
}

std::string state_text(const SelftestLine& line, const Screen& screen) {
  if (line.state == State::undecided) return busy_text(line);
  const bool good = line.state == State::caught || line.state == State::through;
  return paint(name_of(line.state), good ? Colour::good : Colour::bad, screen);
}

std::string twin_text(const SelftestLine& line, const Screen& screen) {
  if (line.false_alarm) return paint("FALSE ALARM: " + line.twin, Colour::bad, screen);
  return line.twin_undecided ? fmt::format("{} ({})", busy_text(line), line.twin) : line.twin;
}

std::string specimen_table(const std::vector<SelftestLine>& lines, const Screen& screen) {
  Table table(
      {{"row"}, {"specimen"}, {"what it does"}, {"guard"}, {"on"}, {""}, {"verdict"}, {"twin"}});
  for (const auto& line : lines)
    if (line.state != State::not_here)
      table.add({line.row, line.specimen, line.title,
                 line.guard.empty() ? "(structural)" : line.guard, line.device,
                 state_text(line, screen), printable(line.verdict), twin_text(line, screen)});
  return table.empty() ? "" : table.text(screen);
}

}  // namespace

std::string selftest_text(const std::vector<SelftestLine>& lines, const Screen& screen) {
  std::string out = specimen_table(lines, screen);
  for (const auto& line : lines)
    if (line.state == State::not_here)
      out += fmt::format("{} cannot be shown here: {}.\n",
                         line.row.empty() ? "the guard " + line.guard
                                          : "row " + line.row + " (" + line.title + ")",
                         line.text);
  for (const auto& line : lines) {
    if (line.state == State::missed || line.state == State::held_back)
      out += fmt::format("{} {}: {} {}\n", name_of(line.state), line.specimen,
                         printable(line.verdict), printable_lines(line.text));
    if (line.false_alarm)
      out += fmt::format("FALSE ALARM, the honest twin of {}: {} {}\n", line.specimen, line.twin,
                         printable_lines(line.twin_text));
  }
  return out;
}

std::string guards_text(const std::vector<judge::GuardLine>& guards, const Screen& screen) {
  Table table({{"guard"}, {"rows"}, {"depth"}, {"what it does"}, {"shown by"}});
  for (const auto& guard : guards)
    table.add({guard.name, guard.rows, guard.depth, guard.what,
               guard.specimens.empty() ? "not here: " + guard.reason : guard.specimens});
  return table.text(screen);
}

}  // namespace hone::text
