// `hone doctor`: see app/doctor.h.
#include "app/doctor.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

using State = app::Check::State;

constexpr std::size_t state_width = 12, name_width = 24;

Colour colour_of(State state) {
  switch (state) {
    case State::ok:
      return Colour::good;
    case State::degraded:
      return Colour::doubtful;
    case State::missing:
      return Colour::bad;
    default:
      return Colour::faint;
  }
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string doctor_text(const app::DoctorResult& result, const Screen& screen) {
  std::string out, section;
  for (const auto& check : result.checks) {
    if (check.section != section)
      out += fmt::format("{}{}\n", section.empty() ? "" : "\n",
                         paint(check.section, Colour::strong, screen));
    section = check.section;
    out += fmt::format("  {}{} {}\n",
                       paint(padded(std::string(name_of(check.state)), state_width),
                             colour_of(check.state), screen),
                       padded(check.name, name_width), check.text);
    if (!check.fix.empty() && check.state != State::ok)
      out += fmt::format("{}{}\n", std::string(2 + state_width, ' '), "→ " + check.fix);
  }
  return out + "\n" + result.conclusion() + "\n";
}

}  // namespace

int doctor(const Typed<app::DoctorRequest>& command) {
  Progress progress(command.json);
  const auto result = app::doctor(command, progress);
  put(command.json ? base::json_text(result) : doctor_text(result, screen_of(stdout)));
  return static_cast<int>(result.can_judge() ? base::ExitCode::ok : base::ExitCode::environment);
}

}  // namespace hone::cli
