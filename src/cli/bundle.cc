// `hone bundle` and the hidden `hone job`: see app/bundle.h.
#include "app/bundle.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/words.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

std::string counted(std::size_t count, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(count), singular);
}

std::string file_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

}  // namespace

std::string packed_text(const app::BundlePackResult& result) {
  const run::Packed& packed = result.packed;
  return fmt::format(
      "packed {} of {} into {} ({})\ncarry it to the machine with the device, and there: "
      "{}\ncarry the results back, and here: {}\n",
      counted(packed.jobs, "job"), counted(packed.tasks, "task"), printable(result.file),
      format_bytes(static_cast<double>(packed.bytes)), printable(result.run_there),
      printable(result.import_here));
}

int bundle_pack(const Typed<app::BundlePackRequest>& command) {
  const auto result = app::pack_bundle(command);
  put(command.json ? base::json_text(result) : packed_text(result));
  return 0;
}

std::string bundle_run_text(const app::BundleRunRequest& request,
                            const app::BundleRunResult& result) {
  if (result.open == 0)
    return fmt::format(
        "{} done, all results are in {}: carry it back and `hone bundle import DIR {}`\n",
        counted(result.done, "job"), printable(request.out), file_name(request.out));
  return fmt::format("{} done, results are in {}; {} open: the same command goes on with them\n",
                     counted(result.done, "job"), printable(request.out), result.open);
}

int bundle_run(const Typed<app::BundleRunRequest>& command) {
  Progress progress(command.json);
  const auto result = app::run_bundle(command, progress);
  if (command.inner) return 0;
  progress.step({});
  put(command.json ? base::json_text(result) : bundle_run_text(command, result));
  return static_cast<int>(exit_code(result, progress.cancelled()));
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

std::string imported_text(const run::Imported& imported) {
  std::string out = fmt::format("imported {}\n", counted(imported.fresh, "result"));
  if (imported.known > 0) out += fmt::format("ignored {} that were here already\n", imported.known);
  if (imported.missing > 0)
    out +=
        fmt::format("no result yet for {} of the bundle: run the same bundle on, or pack again\n",
                    counted(imported.missing, "job"));
  if (imported.cut)
    out += "the file ends within a result, which was left out: was it copied whole?\n";
  if (imported.fresh > 0) out += "`hone resume` goes on with the run\n";
  return out;
}

int bundle_import(const Typed<app::BundleImportRequest>& command) {
  const run::Imported imported = app::import_bundle(command);
  put(command.json ? base::json_text(imported) : imported_text(imported));
  return 0;
}

int job(const app::CommonOptions& place) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string result = app::do_job(place, text);
  std::fwrite(result.data(), 1, result.size(), stdout);
  return 0;
}

}  // namespace hone::cli
