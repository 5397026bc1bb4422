#include "cli/main.h"

#include <signal.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/settings.h"
#include "base/error.h"
#include "base/resources.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/set_up.h"
#include "cli/streams.h"
#include "cli/version.h"
#include "run/interrupt.h"
#include "runner/worker.h"

namespace hone::cli {
namespace {

using base::ExitCode;

// One row per command: its name, what it is for, and how its options are read.
struct Command {
  const char* name;
  const char* what;
  std::function<int()> (*set_up)(CLI::App& app);
};

std::function<int()> set_up_eval(CLI::App& app) {
  auto options = std::make_shared<Typed<app::EvaluateRequest>>();
  app.add_option("task", options->task, "The task's folder")->required();
  app.add_option("candidate", options->candidates,
                 "A .cu or .cl file with a launch plan, or a .py file; several are judged one "
                 "after the other, on the same inputs")
      ->required();
  add_place(app, *options, options->json);
  app.add_option("--case", options->case_name, "Only this case");
  add_depth(app, options->depth, "screen (about a second) or certify (all guards)");
  app.add_flag("--quick", options->quick,
               "Fewer samples on a GPU, for many candidates: an interval of 1 % is enough, and "
               "0.15 s of sampling");
  app.add_option("--set", options->set, "NAME=VALUE for a tunable, instead of its default");
  add_time_limit(app, options->limit.seconds, options->limit.first_too);
  app.add_option("--without", options->without,
                 "Switch a guard off, to see what it is for; such a verdict is worth nothing");
  add_no_record(app, options->record, "Do not record the evaluation in the archive");
  return [options] { return eval(*options); };
}

std::function<int()> set_up_compare(CLI::App& app) {
  auto options = std::make_shared<Typed<app::CompareRequest>>();
  app.add_option("task", options->task, "The task's folder")->required();
  app.add_option("a", options->a, "The candidate to compare with")->required();
  app.add_option("b", options->b, "The candidate in question: is it faster than a?")->required();
  add_place(app, *options, options->json);
  app.add_option("--case", options->case_name, "Only this case");
  add_depth(app, options->depth, "screen or certify");
  app.add_option("--margin", options->margin,
                 "Differences within this fraction count as none (0.002: 0.2 %)")
      ->check(positive() & CLI::Range(0.0001, 0.5));
  app.add_option("--max-seconds", options->seconds, "Time for the rounds, at the most")
      ->check(positive());
  add_no_record(app, options->record, "Do not record the comparison in the archive");
  app.footer(
      "Exit codes: 0 b is faster, 10 slower, 11 the same, 12 cannot tell, 1 one of them was not "
      "accepted, 4 they cannot be compared here.");
  return [options] { return compare(*options); };
}

std::function<int()> set_up_tune(CLI::App& app) {
  auto options = std::make_shared<Typed<app::TuneRequest>>();
  app.add_option("task", options->task, "The task's folder")->required();
  app.add_option("candidate", options->candidate, "A .cu or .cl file whose plan has a [tune] table")
      ->required();
  add_place(app, *options, options->json);
  app.add_option("--case", options->case_name, "Only this case");
  app.add_option("--max-evals", options->max_evals,
                 "Points that may be tried, over all resumptions (default: all where they are few, "
                 "else 200)")
      ->check(positive());
  app.add_option("--max-minutes", options->max_minutes,
                 "Time for the search; comparing and certifying the best come after it")
      ->check(positive());
  app.add_option("--seed", options->seed, "Decides the order in which points are tried")
      ->capture_default_str();
  app.add_option("-o,--out", options->out,
                 "Where the result goes (default: CANDIDATE.tuned.EXT beside the candidate)");
  app.add_option("--time-limit", options->limit.seconds,
                 "Seconds that one call of the candidate may take")
      ->capture_default_str()
      ->check(positive());
  using Start = run::TuneOptions::Start;
  const auto start = [&](const char* name, Start value, const char* what) {
    return app.add_flag_function(
        name, [options, value](std::int64_t) { options->start = value; }, what);
  };
  auto* resume = start("--resume", Start::resume,
                       "Go on with the unfinished run, and complain if there is none");
  start("--fresh", Start::fresh, "Begin a new run, even where an unfinished one could be resumed")
      ->excludes(resume);
  app.add_flag("--force", options->force, "Overwrite the result's file, whatever it holds");
  app.footer(
      "The same command goes on where it was stopped or killed. Exit codes: 0 done, 1 no point was "
      "accepted, 130 interrupted.");
  return [options] { return tune(*options); };
}

// What `hone run` and `hone resume` both take.
template <typename Request>
void add_research(CLI::App& app, Typed<Request>& options) {
  add_place(app, options, options.json);
  const auto role = [&](const std::string& option, std::map<std::string, std::string>& into,
                        const std::string& name, const std::string& what) {
    app.add_option_function<std::string>(
        option, [&into, name](const std::string& value) { into[name] = value; }, what);
  };
  role("--llm", options.models, "",
       "The model: anthropic:MODEL, openai:MODEL[@URL], exec:COMMAND, mailbox:DIR, replay:FILE, "
       "record:FILE,MODEL (default: $HONE_LLM)");
  role("--price", options.prices, "",
       "IN,OUT[,CACHED]: dollars per million tokens, where the price is not known");
  for (const auto& name : run::role_names()) {
    role("--llm." + name, options.models, name, "Another model for the " + name);
    role("--price." + name, options.prices, name, "Its price");
  }
  app.add_option("--max-usd", options.budget.usd,
                 "Dollars that may be spent on models, at the very most")
      ->check(positive());
  app.add_option("--max-calls", options.budget.calls, "Calls of models")->check(positive());
  app.add_option("--max-candidates", options.budget.candidates, "Candidates that models may write")
      ->check(positive());
  app.add_option("--max-minutes", options.budget.minutes,
                 "Minutes, over all resumptions, after which nothing is asked or waited for")
      ->check(positive());
  app.add_option(
         "--time-limit", options.time_limit,
         "Seconds that one call of a candidate may take (default: 20, or as the run has it)")
      ->check(positive());
  app.add_option(
         "--tune-evals", options.tune_evals,
         "Points of [tune] tables that the run may measure beside its verdicts, of candidates near "
         "the incumbent; 0: none (default: 200, or as the run has it)")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--slots", options.slots,
                 "Candidates in flight at once, being written or judged (default: 16)")
      ->check(CLI::Range(1, 256));
}

// How it searches, and when it has searched enough.
void add_search(CLI::App& app, RunCommand& options) {
  app.add_option(
         "--strategy", options.strategy,
         "scientist: in generations; mcts: tree search; greedy: every experiment changes the "
         "incumbent; oneshot: independent first attempts, to measure what the others add")
      ->capture_default_str()
      ->check(CLI::IsMember({"scientist", "mcts", "greedy", "oneshot"}));
  app.add_option("--write", options.write,
                 "What models write: device (code with a plan, in the device's language), or "
                 "python (a ModelNew or custom_kernel, for tasks that come from torch)")
      ->capture_default_str()
      ->check(CLI::IsMember({"device", "python"}));
  app.add_option("--attempts", options.attempts,
                 "First attempts from nothing, beside your seeds and the translation: the best of "
                 "all becomes "
                 "the incumbent. For problems where a plain translation is far from a good design")
      ->capture_default_str()
      ->check(CLI::Range(0, 64));
  app.add_option("--width", options.width, "Experiments of a generation, written at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 16));
  app.add_option("--tries", options.tries,
                 "Answers of a writer to one experiment, until one is accepted")
      ->capture_default_str()
      ->check(CLI::Range(1, 10));
  app.add_option(
         "--stop-at-ceiling", options.stop_at_ceiling,
         "Stop where every timed case has reached this fraction of the measured ceiling; 0: never")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--stop-after-flat", options.stop_after_flat,
                 "Stop after so many generations without gain; with mcts and greedy, so many times "
                 "--width candidates, more where much is left and fewer where little is; 0: never")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
}

std::function<int()> set_up_run(CLI::App& app) {
  auto options = std::make_shared<RunCommand>();
  app.add_option("task", options->task, "The task's folder")->required();
  add_research(app, *options);
  app.add_option("--seed", options->seeds,
                 "A kernel of your own to begin with; may be given again");
  add_search(app, *options);
  app.add_option("--feedback", options->feedback,
                 "What designers get of a profile of the basis: tools (what limits it, and "
                 "advice), raw (counters, to measure what the tools are worth), none")
      ->capture_default_str()
      ->check(CLI::IsMember({"tools", "raw", "none"}));
  app.add_option("--tool", options->tools,
                 "A program that gives advice too (docs/profiling.md); may be given again")
      ->allow_extra_args(false);
  app.add_option("--executor", options->executor,
                 "Kernels are judged elsewhere: bundle:DIR (by files that a person carries), "
                 "spool:DIR (by `hone worker` on any machine that sees the folder), or "
                 "slurm:PARTITION[,OPTIONS] (docs/cluster.md)");
  app.add_option("--evaluator", options->evaluator,
                 "exec:COMMAND: an external evaluator, for external tasks");
  app.add_flag("--dry-run", options->dry_run,
               "Estimate calls, tokens, dollars and device seconds, and do nothing");
  app.footer(
      "--device cuda:all, or cuda:0,cuda:2, spreads the candidates over several devices of one "
      "model. A run that was stopped or killed goes on with `hone resume`. Exit codes: 0 done, 1 "
      "nothing was accepted, 20 work is away, 130 interrupted.");
  return [options] { return run(*options); };
}

std::function<int()> set_up_resume(CLI::App& app) {
  auto options = std::make_shared<ResumeCommand>();
  app.add_option("run", options->run, "The run's id, or a prefix of it (hone runs lists them)")
      ->required();
  add_research(app, *options);
  app.footer(
      "Settings are those of the run; what is given here wins. Exit codes as of `hone run`.");
  return [options] { return resume(*options); };
}

std::function<int()> set_up_learn(CLI::App& app) {
  auto options = std::make_shared<Typed<app::LearnRequest>>();
  app.add_option("files", options->files, "Documents: Markdown, plain text, source")->required();
  add_place(app, *options, options->json, false);
  app.add_option("--task", options->task,
                 "The folder of the task that the findings are for (default: any)");
  app.add_option("--device", options->target,
                 "What they are for: sm_90a, cpu, ... (default: any device)");
  app.add_option("--llm", options->llm, "The model, as for `hone run` (default: $HONE_LLM)");
  app.add_option("--price", options->price,
                 "IN,OUT[,CACHED]: dollars per million tokens, where the price is not known");
  app.add_option("--max-usd", options->max_usd, "Dollars that may be spent, at the very most")
      ->check(positive());
  app.add_flag("--again", options->again,
               "Digest also what was digested for the same task and device before");
  return [options] { return learn(*options); };
}

// The two words are read as one option, because the first may be left out.
class ExportUsage : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option*) const override { return "TASK CANDIDATE"; }
};

std::function<int()> set_up_export(CLI::App& app) {
  app.formatter(std::make_shared<ExportUsage>());
  auto options = std::make_shared<ExportCommand>();
  app.add_option("candidate", options->words,
                 "TASK CANDIDATE: the task's folder or kernelbench:LEVEL/NUMBER, and a .cu or .cl "
                 "file; or a .py file alone")
      ->required()
      ->expected(1, 2);
  app.add_option("--task", options->task, "The task, where only the candidate is named before");
  app.add_option(
         "--format", options->format,
         "cuda or opencl: C++ in the candidate's own language; torch: a Python module with one "
         "function over tensors (.cu or .py); hf-kernels: a project for Hugging Face's "
         "kernel-builder (.cu); kernelbench or gpumode: one file for that evaluator (.cu or .py)")
      ->check(CLI::IsMember({"cuda", "opencl", "torch", "hf-kernels", "kernelbench", "gpumode"}));
  app.add_option("-o,--out", options->out,
                 "The folder for the files (default: TASK-FORMAT here; CANDIDATE-FORMAT where no "
                 "task's folder is given)");
  app.add_option("--set", options->set, "NAME=VALUE for a tunable, instead of its default");
  app.add_flag("--force", options->force, "Overwrite files that hold something else");
  add_problems(app);
  add_place(app, *options, options->json, false);
  return [options] { return export_candidate(*options); };
}

std::function<int()> set_up_resources(CLI::App& app) {
  auto options = std::make_shared<Typed<app::ResourcesRequest>>();
  app.require_subcommand(1);
  CLI::App* writing = app.add_subcommand(
      "export",
      "Write the built-in resources to a folder, to change them and use them with --resources");
  writing->add_option("folder", options->folder, "The folder; made if it is not there")->required();
  add_json(*writing, options->json);
  return [options] { return export_resources(*options); };
}

std::function<int()> set_up_doctor(CLI::App& app) {
  auto options = std::make_shared<Typed<app::DoctorRequest>>();
  add_place(app, *options, options->json);
  using Measure = app::DoctorRequest::Measure;
  const auto ceilings = [&](const char* name, Measure value, const char* what) {
    return app.add_flag_function(
        name, [options, value](std::int64_t) { options->ceilings = value; }, what);
  };
  auto* measure = ceilings("--measure", Measure::always, "Measure the devices' ceilings again");
  ceilings("--no-measure", Measure::never,
           "Do not measure ceilings, even where they are not known yet")
      ->excludes(measure);
  app.footer("Exit codes: 0 something can be judged here, 4 nothing can.");
  return [options] { return doctor(*options); };
}

std::function<int()> set_up_selftest(CLI::App& app) {
  auto options = std::make_shared<SelftestCommand>();
  app.add_flag("--cheats", options->cheats,
               "Judge the shipped specimens of cheating and their honest twins");
  app.add_flag("--guards", options->guards,
               "List the guards, and by which specimens each is shown");
  app.add_option("--without", options->without,
                 "Switch this guard off: its specimens must then come through");
  app.add_option("--only", options->only_row, "Only this row of docs/trust.md");
  app.add_option("--kind", options->kind, "Only specimens of this kind: device or python")
      ->check(CLI::IsMember({"device", "python"}));
  app.add_flag("--no-clock", options->no_clock,
               "Skip specimens that only the clock can catch, and judge the others without the "
               "guards that go by the clock: for a busy machine");
  add_place(app, *options, options->json);
  app.footer(
      "Exit codes: 0 all as it should be, 1 a specimen was missed or a twin was not accepted, 13 "
      "nothing was missed, but this machine is too busy to tell in every case.");
  return [options] { return selftest(*options); };
}

std::function<int()> set_up_task(CLI::App& app) {
  app.require_subcommand(1);
  auto check = std::make_shared<Typed<app::TaskCheckRequest>>();
  CLI::App* checking = app.add_subcommand(
      "check", "List everything that is wrong with a task, and whether it can be judged by");
  checking->add_option("task", check->task, "The task's folder")->required();
  add_place(*checking, *check, check->json);
  checking
      ->add_option("--max-seconds", check->max_seconds,
                   "Time for everything; cases that would take longer than that are left out "
                   "(default: 90 s for the cases, ten minutes in all)")
      ->check(positive());
  checking->footer("Exit codes: 0 admitted, 1 not admitted, 3 malformed.");
  auto fresh = std::make_shared<Typed<app::TaskNewRequest>>();
  CLI::App* writing = app.add_subcommand(
      "new", "Write a working task to change, or one made from a kernel you have");
  writing
      ->add_option("name", fresh->folder, "The new task's folder; its last part is the task's name")
      ->required();
  writing->add_option(
      "--from", fresh->from,
      "Your kernel: a .cl or .cu file, whose parameters become the task's tensors, or a .py file "
      "with the function that computes it (FILE.py:FUNCTION where it has several)");
  writing->add_option(
      "--reference", fresh->reference,
      "What is computed, as a function of torch or NumPy in a .py file (FILE.py:FUNCTION); without "
      "it the kernel's own function, if it is plain torch or NumPy");
  writing->add_option("--example", fresh->example,
                      "Example inputs as Python, such as 'torch.randn(4096, 1000)'; otherwise the "
                      "reference's file has a function example_inputs");
  writing
      ->add_option("--reference-seconds", fresh->seconds,
                   "Seconds that a reference in Python may take on its example inputs, and later "
                   "for a call in a case")
      ->capture_default_str()
      ->check(positive());
  add_problems(*writing);
  add_json(*writing, fresh->json);
  for (CLI::App* sub : {checking, writing}) sub->fallthrough();
  return [checking, check, fresh] {
    return checking->parsed() ? task_check(*check) : task_new(*fresh);
  };
}

std::function<int()> set_up_config(CLI::App& app) {
  auto options = std::make_shared<ConfigCommand>();
  add_json(app, options->json);
  return [options] { return config(*options); };
}

constexpr Command commands[] = {
    {"doctor", "Say what is here, what is missing, and how to fix it", set_up_doctor},
    {"task", "Check a task, or write a new one", set_up_task},
    {"eval", "Judge a candidate: is it right, and how fast is it?", set_up_eval},
    {"baseline", "Measure torch itself on KernelBench problems, class by class", set_up_baseline},
    {"table", "Which KernelBench problems were solved, and how much faster than torch",
     set_up_table},
    {"profile", "Explain a candidate's time: what limits it, what to do, what that should gain",
     set_up_profile},
    {"tools", "The tools that explain, and how often each was right", set_up_tools},
    {"run", "Let models write faster kernels, judged one by one", set_up_run},
    {"resume", "Go on with a run that was stopped, killed, or waited for results", set_up_resume},
    {"learn", "Let a model digest documents into findings for later runs", set_up_learn},
    {"simulate", "How strategies behave, without models and devices", set_up_simulate},
    {"tune", "Search a candidate's [tune] space for the fastest point", set_up_tune},
    {"compare", "Is one candidate faster than another, and how sure is that?", set_up_compare},
    {"export", "Write a candidate as C++ files that work without Hone", set_up_export},
    {"log", "List what was evaluated, newest first", set_up_log},
    {"show", "Show everything about one evaluation, candidate or profile", set_up_show},
    {"runs", "List runs and what came of them, newest first; or show one", set_up_runs},
    {"report", "Tell a research run's summary: result, chart, lineage, failures, cost",
     set_up_report},
    {"best", "Write the source of a run's best candidate", set_up_best},
    {"diff", "What differs between two candidates, and what each takes", set_up_diff},
    {"recheck", "Certify an old winner on this driver and device: does it still hold?",
     set_up_recheck},
    {"findings", "What was learned: list, add, edit and delete it", set_up_findings},
    {"bundle", "Carry work to a machine without network, and its results back", set_up_bundle},
    {"mcp", "Serve coding agents: the commands as tools of the Model Context Protocol", set_up_mcp},
    {"worker", "Do the jobs of runs on a machine of a cluster, from a folder", set_up_worker},
    {"work", "Do the jobs of a spool, for hone's own processes", set_up_work},
    {"job", "Do one job of a run, for hone's own processes", set_up_job},
    {"call", "Do one call of a server's, for hone's own processes", set_up_call},
    {"resources", "The files built into hone", set_up_resources},
    {"selftest", "Is the judge itself fooled by known ways of cheating?", set_up_selftest},
    {"config", "Which settings are in force, and where each comes from", set_up_config},
};

std::string version_text() { return fmt::format("hone {} ({}, {})", version, commit, build_kind); }

// Those that are made of the command line itself.
void add_help_commands(CommandLine& line) {
  const CLI::App& hone = *line.app;
  const auto print = [](const std::string& text) {
    put(text);
    return static_cast<int>(ExitCode::ok);
  };
  CLI::App* help = line.app->add_subcommand("help", "Say what a command is for, and its options");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("command", *words, "The command: eval, task check, ...");
  // Of a command line that has parsed nothing: one that has shows the help of the command that it
  // found.
  line.actions.emplace_back(
      help, [words, print] { return print(help_of(*command_line()->app, *words)); });
  CLI::App* completion =
      line.app->add_subcommand("completion", "Write a shell's completion of hone");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "bash, zsh or fish")->required();
  line.actions.emplace_back(
      completion, [&hone, shell, print] { return print(completion_script(hone, *shell)); });
  CLI::App* man = line.app->add_subcommand("man", "Write the man page")->group("");
  const auto markdown = std::make_shared<bool>(false);
  man->add_flag("--markdown", *markdown, "Write docs/commands.md instead");
  line.actions.emplace_back(man, [&hone, markdown, print] {
    return print(*markdown ? command_reference(hone) : man_page(hone));
  });
  CLI::App* said = line.app->add_subcommand("version", "Print what --version prints")->group("");
  line.actions.emplace_back(said, [print] { return print(version_text() + "\n"); });
}

int run(int argc, char** argv) {
  const auto line = command_line();
  CLI::App& app = *line->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help or version
    base::fail(ExitCode::usage, "{}", usage_problem(app, error));
  }
  if (!line->resources.empty()) base::set_resource_folder(line->resources);
  for (const auto& [sub, action] : line->actions)
    if (sub->parsed()) {
      const auto name = sub->get_name();
      if (name != "help" && name != "completion" && name != "man" && name != "version") {
        const auto settings = app::settings_in_files(std::filesystem::current_path());
        if (name != "config") app::set_environment(settings);
        take_settings(app, settings);
      }
      const bool has_something_to_finish = name == "tune" || name == "run" || name == "resume" ||
                                           name == "learn" || name == "worker";
      if (name != "call")  // which goes by its tool
        has_something_to_finish ? run::finish_when_interrupted() : run::leave_when_interrupted();
      return action();
    }
  return static_cast<int>(ExitCode::usage);
}

}  // namespace

std::unique_ptr<CommandLine> command_line() {
  auto line = std::make_unique<CommandLine>();
  line->app = std::make_unique<CLI::App>("Hone judges GPU kernels and makes them faster.\n");
  CLI::App& app = *line->app;
  app.name("hone");
  app.require_subcommand(1);
  app.set_version_flag("-V,--version", version_text());
  app.add_option("--resources", line->resources,
                 "A folder whose files replace the built-in resources of the same name");
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.what);
    sub->fallthrough();
    line->actions.emplace_back(sub, command.set_up(*sub));
  }
  add_help_commands(*line);
  finish_help(app);
  return line;
}

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == runner::worker_role)
    return runner::worker_main();  // started by hone itself, inside a sandbox
  run::hold_signals();
  fill_closed_streams();
  ::signal(
      SIGXFSZ,
      SIG_IGN);  // a file that may not grow is an error like a full disk, not an end without a word
  const bool as_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  try {
    return flush_output(run(argc, argv));
  } catch (const base::Error& error) {
    return flush_output(report(error, as_json));
  } catch (const std::bad_alloc&) {
    return flush_output(report(
        {ExitCode::environment,
         "there is not enough memory: end other programs, or choose a smaller case with --case"},
        as_json));
  } catch (const std::exception& error) {
    return flush_output(
        report({ExitCode::internal,
                std::string("this is a mistake in hone itself, please report it: ") + error.what()},
               as_json));
  }
}

}  // namespace hone::cli
