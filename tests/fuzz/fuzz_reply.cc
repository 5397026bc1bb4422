// What models answer: the first byte chooses the role, the rest is the answer. A writer's
// answer is read against a basis, and what comes out of it goes through the checks and the diff
// that a run makes of it.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "agents/answers.h"
#include "agents/prompts.h"
#include "base/json.h"
#include "search/experiment_order.h"

namespace {

using namespace hone::agents;

const std::string basis =
    "/* hone 1\n[[launch]]\nkernel = \"f\"\ngrid = [1]\nblock = [1]\nargs = [\"y\"]\n*/\n"
    "__kernel void f(__global float* y) {\n  y[0] = 1;\n  y[1] = 1;\n  y[0] = 1;\n}\n";

void must(bool holds) {
  if (!holds) std::abort();
}

void read_written(const hone::llm::Reply& reply, const std::string& of, const SourceForm& form) {
  const auto written = parse_written(reply, of, form);
  if (!written) return must(!written.error().empty() && written.error().size() < 100'000);
  must(!written->source.empty() && written->source.back() == '\n');
  (void)check_report(written->report, of, written->source);
  const auto changes = diff(of, written->source);
  must(changes.empty() == (of == written->source) || of.find_last_of('\n') + 1 != of.size());
}

void read_design(const hone::llm::Reply& reply) {
  const auto design = parse_design(reply);
  if (!design) return must(!design.error().empty());
  for (const auto& experiment : design->experiments) {
    const std::string text = hone::base::json_line(experiment);
    const auto again = *hone::base::from_json<hone::core::Experiment>(text);
    must(again.kind == experiment.kind && again.gain_low == experiment.gain_low &&
         again.advice == experiment.advice);
    must(recorded_experiment(text).description == experiment.description);
    must(experiment.gain_low <= experiment.gain_high && experiment.gain_high <= 100 &&
         experiment.innovation <= 100);
  }
  const auto taken = hone::search::take_experiments(design->experiments, 4);
  must(taken.size() == std::min<std::size_t>(4, design->experiments.size()));
  std::set<std::size_t> positions;
  for (const auto& one : taken)
    must(one.position < design->experiments.size() && positions.insert(one.position).second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  hone::llm::Reply reply;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  (data[0] & 0x80 ? reply.arguments : reply.text) = text;
  switch (data[0] & 7) {
    case 0:
      read_written(reply, basis, {});
      break;
    case 1:
      read_written(reply, basis, {SourceForm::Kind::any, ""});
      break;
    case 2:
      read_written(
          reply, "",
          data[0] & 0x40 ? SourceForm{SourceForm::Kind::python, "ModelNew"} : SourceForm{});
      break;
    case 3:
      read_design(reply);
      break;
    case 4:
      if (const auto selection = parse_selection(reply, {1, 12}))
        must((selection->basis == 1 || selection->basis == 12) &&
             selection->basis != selection->reference);
      break;
    case 5:
      (void)parse_lesson(reply);
      break;
    case 6:
      (void)diff(basis, text);
      break;
    default:
      (void)check_report(text, basis, text);
  }
  return 0;
}
