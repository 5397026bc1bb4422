// `hone report RUN`: the story as a Markdown file with its chart beside it.
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "report/story_markdown.h"
#include "store/tuning.h"
#include "text/evaluation_text.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

namespace fs = std::filesystem;

fs::path chart_beside(const fs::path& out) {
  if (out.extension() == ".svg")
    base::fail(base::ExitCode::usage, "-o {}: give the Markdown file (.md); the chart goes beside it", out.string());
  return fs::path(out).replace_extension(".svg");
}

// A link may not hold what would end it.
std::string link_to(const fs::path& file) {
  std::string out;
  for (const char c : file.filename().string())
    out += std::string_view(" ()<>%").find(c) != std::string_view::npos ? fmt::format("%{:02X}", c) : std::string(1, c);
  return out;
}

void refuse_tuning_run(store::Archive& archive, const std::string& id) {
  if (id.starts_with('r') || id.starts_with('R')) return;  // of research
  std::string whole;
  try {
    whole = store::get_tuning_run(archive, id).id;
  } catch (const base::Error&) {
    return;  // no run at all, which is told below
  }
  base::fail(base::ExitCode::bad_input, "{} is a tuning run: `hone runs {}` shows it; only a research run has a report",
             id, whole);
}

}  // namespace

int report_run(const ReportCommand& command) {
  auto archive = archive_to_read(command);
  refuse_tuning_run(archive, command.run);
  const report::Story story = report::load_story(archive, command.run, true);
  std::optional<report::Story> beside;
  if (!command.beside.empty() && !command.beside_archive.empty()) {
    Common other = command;
    other.archive = command.beside_archive;
    auto opened = archive_to_read(other);
    beside = report::load_story(opened, command.beside, true);
  } else if (!command.beside.empty()) {
    beside = report::load_story(archive, command.beside, true);
  }
  const report::Story* control = beside ? &*beside : nullptr;
  nlohmann::json written = nlohmann::json::array();
  if (!command.out.empty()) {
    const fs::path chart = chart_beside(command.out);
    const std::string text = story_markdown(story, control, link_to(chart)),
                      picture = report::svg(story_chart(story, control));
    if (!command.force) refuse_to_overwrite({{command.out, text}, {chart, picture}}, "-o");
    base::write_file_atomically(chart, picture);
    base::write_file_atomically(command.out, text);
    written = {command.out, chart.string()};
  }
  if (command.json) {
    auto answer = story_json(story, control);
    answer["written"] = written;
    std::cout << core::json_text(answer);
  } else if (command.out.empty()) {
    std::cout << story_markdown(story, control, "");
  } else {
    std::cout << "The report is in " << printable(command.out) << ", its chart in "
              << printable(chart_beside(command.out).string()) << "\n";
  }
  return 0;
}

}  // namespace hone::cli
