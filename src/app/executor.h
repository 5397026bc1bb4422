#pragma once
// What --executor names: where the jobs of a run are done if not here.
#include <memory>
#include <string>

#include "app/sink.h"
#include "run/context.h"
#include "run/judges.h"

namespace hone::app {

// bundle:DIR, spool:DIR or slurm:PARTITION,...; throws Error (usage) for anything else.
void check_executor(const std::string& executor);
std::string bundle_folder(const run::RunSettings& settings);  // DIR of bundle:DIR
bool results_come_with_a_person(const run::RunSettings& settings);

// `run`: its id, in whose name jobs are in Slurm.
std::unique_ptr<run::Judges> remote_judges(const run::RunContext& context, const std::string& run,
                                           Sink& sink, run::JobCallback done);

}  // namespace hone::app
