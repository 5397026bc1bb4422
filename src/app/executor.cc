#include "app/executor.h"

#include <cstdlib>

#include "app/own_process.h"
#include "base/error.h"
#include "base/files.h"
#include "exec/bundle_executor.h"
#include "exec/spool_executor.h"
#include "run/bundle.h"
#include "run/remote_judges.h"

namespace hone::app {

namespace fs = std::filesystem;
using base::ExitCode;

namespace {

constexpr std::string_view bundle_prefix = "bundle:", spool_prefix = "spool:",
                           slurm_prefix = "slurm:";

[[noreturn]] void refuse(const std::string& executor, const std::string& why) {
  base::fail(ExitCode::usage,
             "--executor {}: {}. It is bundle:DIR, spool:DIR[,lost-after=SECONDS] or "
             "slurm:PARTITION[,OPTIONS] (docs/cluster.md)",
             executor, why);
}

// What stands behind the prefix.
std::optional<std::string> rest_of(const std::string& executor, std::string_view prefix) {
  if (!executor.starts_with(prefix)) return std::nullopt;
  if (executor.size() == prefix.size()) refuse(executor, "it names nothing");
  return executor.substr(prefix.size());
}

exec::SlurmOptions slurm_options(const std::string& executor) {
  auto options = exec::slurm_options_from(*rest_of(executor, slurm_prefix));
  if (!options) refuse(executor, options.error());
  return *std::move(options);
}

struct SpoolOptions {
  fs::path folder;
  double lost_after = exec::SpoolSettings().lost_after;
};
SpoolOptions spool_options(const std::string& executor) {
  constexpr std::string_view key = ",lost-after=";
  SpoolOptions options;
  std::string rest = *rest_of(executor, spool_prefix);
  if (const auto at = rest.rfind(key); at != std::string::npos) {
    char* end = nullptr;
    const std::string text = rest.substr(at + key.size());
    options.lost_after = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !(options.lost_after >= exec::least_lost_after) ||
        !(options.lost_after <= exec::most_lost_after))
      refuse(executor, "lost-after is a number of seconds");
    rest.erase(at);
  }
  options.folder = rest;
  return options;
}

exec::SpoolExecutorOptions options_for(const run::RunContext& context, const std::string& run,
                                       Sink& sink) {
  const run::RunSettings& settings = context.settings;
  exec::SpoolExecutorOptions options;
  options.settings.language = core::name_of(context.info.language);
  options.settings.device = context.info.name;
  options.say = [&sink](const std::string& text) { sink.say(text); };
  if (!settings.executor.starts_with(slurm_prefix)) {
    const SpoolOptions spool = spool_options(settings.executor);
    options.spool = fs::absolute(spool.folder);
    options.settings.lost_after = spool.lost_after;
    return options;
  }
  options.slurm = slurm_options(settings.executor);
  const fs::path& folder = options.slurm->spool;
  options.spool = (folder.empty() ? base::home_folder() / "spool" : fs::absolute(folder)) / run;
  options.settings.lost_after = options.slurm->lost_after;
  if (options.slurm->hone.empty())
    options.slurm->hone = fs::read_symlink("/proc/self/exe").string();
  options.pass_on = options_of_resources();
  if (options.pass_on.size() == 2) options.pass_on[1] = fs::absolute(options.pass_on[1]).string();
  if (settings.unsafe) options.pass_on.emplace_back("--unsafe");
  return options;
}

}  // namespace

void check_executor(const std::string& executor) {
  if (executor.starts_with(slurm_prefix))
    slurm_options(executor);
  else if (executor.starts_with(spool_prefix))
    spool_options(executor);
  else if (!rest_of(executor, bundle_prefix))
    refuse(executor, "there is no such executor");
}

bool results_come_with_a_person(const run::RunSettings& settings) {
  return settings.executor.starts_with(bundle_prefix);
}

std::string bundle_folder(const run::RunSettings& settings) {
  return *rest_of(settings.executor, bundle_prefix);
}

std::unique_ptr<run::Judges> remote_judges(const run::RunContext& context, const std::string& run,
                                           Sink& sink, run::JobCallback done) {
  if (results_come_with_a_person(context.settings))
    return std::make_unique<run::RemoteJudges>(
        context.task, context.info, exec::bundle_executor(bundle_folder(context.settings)),
        std::move(done), sink.cancelled());
  const auto packer = std::make_shared<run::JobPacker>();
  return std::make_unique<run::RemoteJudges>(
      context.task, context.info, exec::spool_executor(options_for(context, run, sink)),
      std::move(done), sink.cancelled(), [packer](const run::Job& job) { return (*packer)(job); });
}

}  // namespace hone::app
