// `hone bundle` and the hidden `hone job`: see app/bundle.h.
#include "app/bundle.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/words.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

std::string counted(std::size_t count, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(count), singular);
}

std::string file_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

}  // namespace

int bundle_pack(const Typed<app::BundlePackRequest>& command) {
  const auto result = app::pack_bundle(command);
  if (command.json) {
    put_json(result);
    return 0;
  }
  const run::Packed& packed = result.packed;
  fmt::print("packed {} of {} into {} ({})\n", counted(packed.jobs, "job"),
             counted(packed.tasks, "task"), printable(result.file),
             format_bytes(static_cast<double>(packed.bytes)));
  fmt::print("carry it to the machine with the device, and there: {}\n",
             printable(result.run_there));
  fmt::print("carry the results back, and here: {}\n", printable(result.import_here));
  return 0;
}

int bundle_run(const Typed<app::BundleRunRequest>& command) {
  Progress progress(command.json);
  const auto result = app::run_bundle(command, progress);
  if (command.inner) return 0;
  progress.step({});
  if (command.json)
    put_json(result);
  else if (result.open == 0)
    fmt::print("{} done, all results are in {}: carry it back and `hone bundle import DIR {}`\n",
               counted(result.done, "job"), printable(command.out), file_name(command.out));
  else
    fmt::print("{} done, results are in {}; {} open: the same command goes on with them\n",
               counted(result.done, "job"), printable(command.out), result.open);
  if (progress.cancelled()) return static_cast<int>(ExitCode::interrupted);
  return static_cast<int>(result.open == 0 ? ExitCode::ok : ExitCode::unfinished);
}

int bundle_device(const Typed<app::BundleDeviceRequest>& command) {
  Progress progress(command.json);
  const auto result = app::describe_device(command, progress);
  if (command.json)
    put_json(result);
  else
    fmt::print(
        "{} is in {}: where the models are, hone run TASK --executor bundle:DIR --device {}\n",
        printable(result.name), printable(command.out), file_name(command.out));
  return 0;
}

int bundle_import(const Typed<app::BundleImportRequest>& command) {
  const run::Imported imported = app::import_bundle(command);
  if (command.json) {
    put_json(imported);
    return 0;
  }
  fmt::print("imported {}\n", counted(imported.fresh, "result"));
  if (imported.known > 0) fmt::print("ignored {} that were here already\n", imported.known);
  if (imported.missing > 0)
    fmt::print("no result yet for {} of the bundle: run the same bundle on, or pack again\n",
               counted(imported.missing, "job"));
  if (imported.cut)
    fmt::print("the file ends within a result, which was left out: was it copied whole?\n");
  if (imported.fresh > 0) fmt::print("`hone resume` goes on with the run\n");
  return 0;
}

int job(const app::CommonOptions& place) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string result = app::do_job(place, text);
  std::fwrite(result.data(), 1, result.size(), stdout);
  return 0;
}

}  // namespace hone::cli
