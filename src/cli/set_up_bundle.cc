#include "cli/set_up.h"

namespace hone::cli {
namespace {

std::function<int()> set_up_pack(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BundlePackRequest>>();
  app.add_option("folder", options->folder, "The DIR of --executor bundle:DIR")->required();
  app.add_option("-o,--out", options->out, "The file to write")->required();
  add_json(app, options->json);
  return [options] { return bundle_pack(*options); };
}

std::function<int()> set_up_run_bundle(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BundleRunRequest>>();
  app.add_option("file", options->file, "A bundle")->required();
  app.add_option("-o,--out", options->out,
                 "The file of results; what it has already is kept and not done again")
      ->required();
  add_json(app, options->json);
  app.add_option("--device", options->device,
                 "Where to run: cuda:0, opencl:0 (default: the first for each job)");
  app.add_flag("--unsafe", options->unsafe,
               "Run native code without a sandbox where none can be had");
  add_python(app);
  app.add_option("--max-minutes", options->max_minutes, "Begin no job after this time")
      ->check(positive());
  app.add_flag("--inner", options->inner)->group("");
  app.add_option("--only", options->only)->group("");
  app.footer(
      "Exit codes: 0 every job has a result, 21 the time was up (the same command goes on), 3 not "
      "a usable file.");
  return [options] { return bundle_run(*options); };
}

std::function<int()> set_up_import(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BundleImportRequest>>();
  app.add_option("folder", options->folder, "The DIR of --executor bundle:DIR")->required();
  app.add_option("results", options->file, "The file that `hone bundle run` wrote")->required();
  add_json(app, options->json);
  app.footer(
      "Exit codes: 0 imported, or all of it was here already; 3 damaged, of another version or "
      "another bundle.");
  return [options] { return bundle_import(*options); };
}

std::function<int()> set_up_device(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BundleDeviceRequest>>();
  app.add_option("-o,--out", options->out, "The file to write")->required();
  add_json(app, options->json);
  app.add_option("--device", options->device,
                 "Which one: cuda:0, opencl:0 (default: the best one here)");
  app.add_flag("--unsafe", options->unsafe,
               "Run native code without a sandbox where none can be had");
  return [options] { return bundle_device(*options); };
}

}  // namespace

std::function<int()> set_up_job(CLI::App& hone_app) {
  auto place = std::make_shared<app::CommonOptions>();
  hone_app.add_option("--device", place->device)->required();
  hone_app.add_flag("--unsafe", place->unsafe);
  hone_app.group("");  // for hone's own processes
  return [place] { return job(*place); };
}

std::function<int()> set_up_bundle(CLI::App& app) {
  app.require_subcommand(1);
  CLI::App* packing =
      app.add_subcommand("pack", "Put all open jobs and what they need into one file");
  CLI::App* running = app.add_subcommand("run", "Do the jobs of a bundle, where the device is");
  CLI::App* importing = app.add_subcommand("import", "Take the results of a bundle back");
  CLI::App* describing = app.add_subcommand(
      "device", "Write what is known of the device here, for `hone run --executor bundle:`");
  auto pack = set_up_pack(*packing), device = set_up_device(*describing),
       work = set_up_run_bundle(*running), import = set_up_import(*importing);
  for (CLI::App* sub : {packing, running, importing, describing}) sub->fallthrough();
  return [=] {
    return packing->parsed()     ? pack()
           : running->parsed()   ? work()
           : importing->parsed() ? import()
                                 : device();
  };
}

}  // namespace hone::cli
