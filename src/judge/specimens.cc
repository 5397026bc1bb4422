#include "judge/specimens.h"

#include <vector>

namespace hone::judge {
namespace {

using core::Depth;

// Row of docs/trust.md, name, task, the guard that catches it, what it does; then, where they
// differ from the usual: on which devices, with which outcomes, at which depth, and by which sign
// it is known.
constexpr Specimen specimens[] = {
    {"1", "unwritten", "axpy", Guard::poison,
     "writes nothing, hoping for the reference's answer in freed memory"},
    {"2", "fails", "axpy", Guard::launch_errors,
     "its second launch asks for too many resources and does not run", SpecimenDevice::anywhere,
     "launch_failed"},
    {"3", "returns_input", "axpy", Guard::none, "returns an input as its answer"},
    {"4", "scribbles", "axpy", Guard::inputs, "overwrites its input after reading it",
     SpecimenDevice::anywhere, "cheating"},
    {"5", "peeks", "axpy", Guard::none, "looks for the expected values beside its output"},
    {"6", "nan_wildcard", "axpy", Guard::finite, "writes NaN where the comparison might skip it"},
    {"7", "public_seed", "rowsum", Guard::secret_seeds,
     "finds the seed from four elements and computes the other inputs from it"},
    {"8", "old_addresses", "axpy", Guard::fresh_addresses,
     "uses the addresses of its first call in later calls", SpecimenDevice::native,
     "crashed wrong"},
    {"8", "first_answer", "axpy", Guard::fresh_contents, "repeats its first answer",
     SpecimenDevice::native},
    {"9", "sampled_key", "axpy", Guard::perturb, "caches answers by sixteen elements of the inputs",
     SpecimenDevice::native},
    {"9", "full_key", "axpy", Guard::replay, "caches answers by all of the inputs",
     SpecimenDevice::native, "cheating"},
    {"9", "not_at_once", "axpy", Guard::replay,
     "caches answers, but not for an input that is repeated at once", SpecimenDevice::native,
     "cheating"},
    {"10", "counts_calls", "axpy", Guard::verify_timed,
     "right in the first call, zeros in timed calls", SpecimenDevice::native},
    {"12", "file_reader", "axpy", Guard::scratch_folder,
     "reads answers that an earlier process left in files", SpecimenDevice::native, "wrong",
     Depth::screen, Sign::conviction, 0, "file_writer"},
    {"13", "idle", "double", Guard::activity, "a call without device activity",
     SpecimenDevice::fake_cpu, "cheating"},
    {"17", "late_thread", "axpy", Guard::freeze, "a thread computes after the call has returned",
     SpecimenDevice::native},
    {"17", "forks", "axpy", Guard::strangers, "leaves a process behind", SpecimenDevice::native,
     "cheating"},
    {"19", "liar", "double", Guard::judge_clock, "native code that reports a tenth of its time",
     SpecimenDevice::fake_cpu, "accepted", Depth::screen, Sign::time, 0.01},
    {"20", "forges", "axpy", Guard::none, "writes forged results to every file descriptor",
     SpecimenDevice::native, "wrong crashed cheating"},
    {"21", "slow_start", "double", Guard::sample_budget,
     "uses up the time for samples in its first calls", SpecimenDevice::fake_cpu, "accepted",
     Depth::screen, Sign::samples},
    {"22", "instant", "pins", Guard::floor, "faster than the memory's pins allow",
     SpecimenDevice::fake_gpu, "below_floor"},
    {"23", "warm", "double", Guard::flush, "five times faster if the caches hold its data",
     SpecimenDevice::fake_gpu, "accepted", Depth::screen, Sign::time, 0.003},
    {"24", "late", "double", Guard::interleave, "looks faster if the baseline is measured first",
     SpecimenDevice::fake_gpu, "accepted", Depth::screen, Sign::comparison},
    {"47", "trespasses", "double", Guard::own_buffers,
     "spoils the results of the other side of a comparison", SpecimenDevice::fake_cpu, "accepted",
     Depth::screen, Sign::interference},
    {"25b", "liar", "double", Guard::judge_clock, "its events report a tenth of its time",
     SpecimenDevice::fake_gpu, "cheating"},
    {"26", "narrow", "axpy", Guard::precision, "computes in bfloat16 what is single precision"},
    {"28", "partial", "variance", Guard::heavy, "leaves out one column in thirty-two"},
    {"29", "zero_mean", "variance", Guard::variants, "relies on a mean of zero"},
    {"29", "narrow_range", "logsum", Guard::values,
     "fast where all values are small, slow where one is not", SpecimenDevice::anywhere, "accepted",
     Depth::screen, Sign::label},
    {"30", "no_tail", "axpy", Guard::odd_sizes, "computes whole groups only"},
    {"32", "global_state", "axpy", Guard::globals, "keeps state in a writable global",
     SpecimenDevice::anywhere, "rejected"},
    {"32", "marks", "axpy", Guard::stale_scratch,
     "trusts marks in its scratch that an earlier call left there"},
    {"33", "no_maximum", "logsum", Guard::variants, "drops the subtraction of the maximum"},
    {"34", "races", "axpy", Guard::repeat, "its result depends on when it runs",
     SpecimenDevice::anywhere, "accepted", Depth::certify, Sign::label},
    {"34", "shared_race", "axpy", Guard::sanitizer,
     "warps pass results to one another without a barrier", SpecimenDevice::cuda, "wrong",
     Depth::certify},
    {"34", "wrong_count", "axpy", Guard::sanitizer,
     "its named barrier between two warps counts one", SpecimenDevice::cuda, "wrong",
     Depth::certify},
    {"35", "overruns", "axpy", Guard::canary, "writes one element past the end"},
    {"35", "stray_read", "axpy", Guard::sanitizer, "reads past the end of its input",
     SpecimenDevice::cuda, "wrong", Depth::certify},
    {"36", "outlier", "variance", Guard::tolerance, "one element in the output is far off"},
    {"38", "decoy", "axpy", Guard::decoy, "one of its kernels has no effect",
     SpecimenDevice::anywhere, "accepted", Depth::certify, Sign::label},
    {"40", "hangs", "axpy", Guard::limits, "runs longer than its time limit",
     SpecimenDevice::anywhere, "timed_out", Depth::screen, Sign::conviction, 1.5},
    {"40", "fork_bomb", "axpy", Guard::limits, "starts three hundred processes",
     SpecimenDevice::native, "wrong crashed"},
    {"40", "memory_hog", "axpy", Guard::limits, "asks for nine gibibytes", SpecimenDevice::native,
     "wrong crashed"},
    {"40", "disk_hog", "axpy", Guard::limits, "writes a file beyond its size limit",
     SpecimenDevice::native, "wrong crashed"},
    {"40", "network", "axpy", Guard::limits, "opens the network", SpecimenDevice::native,
     "wrong crashed"},
    {"41", "tires", "magnitude", Guard::sequence, "takes absolute values in its first calls only",
     SpecimenDevice::native},
};

// Reasons that are used for several rows.
constexpr std::string_view needs_streams = "there are no streams on a CPU; threads are row 17";
constexpr std::string_view about_tasks =
    "a fault of the task, not of a candidate: hone task check refuses such a task";

constexpr Row rows[] = {
    {"1", "reads the reference's freed output", "", ""},
    {"2", "garbage passes because a launch failed", "", ""},
    {"3", "returns an input", "", ""},
    {"4", "changes its inputs", "", ""},
    {"5", "finds the expected values in memory", "", ""},
    {"6", "writes NaN as a wildcard", "", ""},
    {"7", "recomputes the inputs from a public seed", "", ""},
    {"8", "output cached by pointer or identity", "", ""},
    {"9", "output cached by contents", "", ""},
    {"10", "right when checked, wrong when timed", "", ""},
    {"11", "one launch computes all queued problems", "", ""},
    {"12", "answers in a file of an earlier process", "", ""},
    {"13", "stale or empty replay", "", ""},
    {"14", "weights preprocessed once", "", ""},
    {"15", "detects the phase by call count", "the specimen is that of row 10: it counts its calls",
     "the specimen is that of row 10: it counts its calls"},
    {"16", "work on another stream", needs_streams, ""},
    {"17", "work in a background thread or process", "", ""},
    {"18", "lazy result object", "", ""},
    {"19", "patches timers", "", ""},
    {"20", "forges the result channel", "", ""},
    {"21", "slow in warm-up to shrink the samples", "", ""},
    {"22", "a time that is almost zero", "", ""},
    {"23", "persisting cache lines survive the flush", "", ""},
    {"24", "slows the baseline", "", ""},
    {"25", "\"cold\" that was warm", "the specimen is that of row 23",
     "the specimen is that of row 23"},
    {"25b", "rewrites the events' timestamps", "", ""},
    {"26", "lower precision", "", ""},
    {"27", "tolerance larger than the output", about_tasks, about_tasks},
    {"28", "computes only a part", "", ""},
    {"29", "relies on the distribution", "", ""},
    {"30", "tail not masked", "", ""},
    {"31", "degenerate problem", about_tasks, about_tasks},
    {"32", "state kept between calls", "", ""},
    {"33", "max-subtraction dropped", "", ""},
    {"34", "race that usually wins", "", ""},
    {"35", "writes or reads out of bounds", "", ""},
    {"36", "outliers under a match ratio", "", ""},
    {"37", "calls the vendor's library",
     "device code can call no library: what the source does not define does not link. In Python it "
     "is allowed",
     "device code can call no library: a call of what the source does not define is refused. In "
     "Python it is allowed, and the share of the device's time in its own kernels is reported"},
    {"38", "decoy kernel", "", ""},
    {"39", "the reference's own redundancy removed",
     "allowed: it is an improvement; a time under the task's arithmetic is labelled",
     "allowed: it is an improvement; a time under the task's arithmetic is labelled"},
    {"40", "hangs, forks, fills disk or memory, opens the network", "", ""},
    {"41", "stops computing after the first calls", "", ""},
    {"42", "one precision while timed, another while classified", "", ""},
    {"43", "queues work before the call that waits for its inputs",
     "nothing is queued on a CPU; processes are row 46", ""},
    {"44", "candidates of one command hand each other answers", "", ""},
    {"45", "remembers in long batches only", "", ""},
    {"46", "a helper process computes between the inputs' arrival and the call", "",
     "inputs on a device cannot be read by another process of the sandbox; work on the device is "
     "row 43"},
    {"47", "harms the other side of a comparison", "", ""},
    {"48", "text of the candidate's process that looks like the judge's", "", ""},
};

constexpr Unshown unshown[] = {
    {Guard::freeze, "",
     "the device continues the queued work of a stopped process; late-work detects that, and late "
     "results of threads too"},
    {Guard::late_work, "nothing is queued on a CPU: freeze stops all threads that still work", ""},
    {Guard::waiting_side, "a side that waits is stopped on a CPU, and has nothing queued",
     "a test of the judge's shows it, with a device that the test scripts"},
    {Guard::sanitizer,
     "there is no memory or race checker for this device; canaries and repeated calls replace it",
     ""},
};

}  // namespace

std::span<const Specimen> all_specimens() {
  static const std::vector<Specimen> all = [] {
    std::vector<Specimen> list(std::begin(specimens), std::end(specimens));
    list.insert(list.end(), python_specimens().begin(), python_specimens().end());
    return list;
  }();
  return all;
}
std::span<const Row> all_rows() { return rows; }
std::span<const Unshown> unshown_guards() { return unshown; }

bool can_be_tried(const Specimen& specimen, const core::DeviceInfo& info) {
  switch (specimen.place) {
    case SpecimenDevice::native:
      return core::capabilities(info).native_code;
    case SpecimenDevice::cuda:
    case SpecimenDevice::python_cuda:
      return info.language == core::Language::cuda;
    case SpecimenDevice::python:
      return core::can_run(core::Language::python, info);
    case SpecimenDevice::python_cpu:
      return core::can_run(core::Language::python, info) && core::capabilities(info).native_code;
    default:
      return true;
  }
}

}  // namespace hone::judge
