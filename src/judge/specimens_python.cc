// Specimens in Python. The same judge evaluates them; unlike device code, their host code runs in the worker's process,
// beside the harness.
#include "judge/specimens.h"

namespace hone::judge {
namespace {

using core::Depth;

constexpr Specimen in_python[] = {
    {"1", "unwritten", "axpy", Guard::poison, "returns the judge's own memory unwritten", Place::python},
    {"2", "fails", "axpy", Guard::launch_errors, "raises an exception after it has written an answer", Place::python,
     "launch_failed"},
    {"3", "returns_input", "axpy", Guard::none, "returns an input as its answer", Place::python},
    {"4", "scribbles", "axpy", Guard::inputs, "overwrites its input after reading it", Place::python, "cheating"},
    {"5", "peeks", "axpy", Guard::none, "looks for the expected values among all objects and frames", Place::python},
    {"6", "nan_wildcard", "axpy", Guard::finite, "writes NaN where the comparison might skip it", Place::python},
    {"7", "official_seed", "axpy", Guard::none, "draws the inputs itself from the seed of public evaluators",
     Place::python},
    {"8", "old_addresses", "axpy", Guard::fresh_addresses, "uses the tensors of its first call in later calls",
     Place::python, "crashed wrong launch_failed"},
    {"8", "first_answer", "axpy", Guard::fresh_contents, "repeats its first answer", Place::python},
    {"9", "sampled_key", "axpy", Guard::perturb, "caches answers by sixteen elements of the inputs", Place::python},
    {"9", "full_key", "axpy", Guard::replay, "caches answers by all of the inputs", Place::python, "cheating"},
    {"9", "not_at_once", "axpy", Guard::replay, "caches answers, but not for an input that is repeated at once",
     Place::python, "cheating"},
    {"9", "now_and_then", "axpy", Guard::replay, "answers somewhat more than half of its calls from a cache",
     Place::python, "accepted cheating", Depth::screen, Sign::label},
    {"10", "counts_calls", "axpy", Guard::verify_timed, "right in the first call, zeros in timed calls", Place::python},
    {"11", "overlaps", "axpy", Guard::overlap, "works on several calls at once", Place::python, "accepted",
     Depth::screen, Sign::label},
    {"12", "file_reader", "axpy", Guard::scratch_folder, "reads answers that an earlier process left in files",
     Place::python, "wrong", Depth::screen, Sign::conviction, 0, "file_writer"},
    {"13", "stale_graph", "axpy", Guard::none, "replays a graph on old contents of its buffers", Place::python_cuda},
    {"14", "prepares_weights", "weighted", Guard::fresh_contents, "preprocesses its weights once, in the first call",
     Place::python},
    {"16", "other_stream", "axpy", Guard::late_work, "works on a stream that is not waited for", Place::python_cuda,
     "wrong cheating"},
    {"17", "late_thread", "axpy", Guard::freeze, "a thread computes after the call has returned", Place::python_cpu},
    {"17", "forks", "axpy", Guard::strangers, "leaves a process behind", Place::python, "cheating"},
    {"18", "lazy", "axpy", Guard::results, "returns an object that computes when it is read", Place::python},
    {"19", "patched_clock", "axpy", Guard::judge_clock, "makes the clocks of its process run slower", Place::python,
     "accepted", Depth::screen, Sign::time, 0.01},
    {"20", "forges", "axpy", Guard::none, "sends a forged answer to the judge", Place::python,
     "wrong crashed cheating"},
    {"21", "slow_start", "axpy", Guard::sample_budget, "uses up the time for samples in its first calls", Place::python,
     "accepted", Depth::screen, Sign::samples},
    {"26", "narrow", "axpy", Guard::precision, "computes in bfloat16 what is single precision", Place::python},
    {"28", "partial", "variance", Guard::heavy, "leaves out one column in thirty-two", Place::python},
    {"29", "zero_mean", "variance", Guard::variants, "relies on a mean of zero", Place::python},
    {"29", "narrow_range", "logsum", Guard::values, "fast where all values are small, slow where one is not",
     Place::python, "accepted", Depth::screen, Sign::label},
    {"30", "no_tail", "axpy", Guard::odd_sizes, "computes whole groups only", Place::python},
    {"32", "accumulates", "axpy", Guard::none, "its result depends on the calls before", Place::python},
    {"33", "no_maximum", "logsum", Guard::variants, "drops the subtraction of the maximum", Place::python},
    {"34", "races", "axpy", Guard::repeat, "its last bit is random", Place::python, "accepted", Depth::certify,
     Sign::label},
    {"35", "overruns", "axpy", Guard::canary, "writes one element past the end", Place::python_cpu},
    {"36", "outlier", "variance", Guard::tolerance, "one element in the output is far off", Place::python},
    {"40", "hangs", "axpy", Guard::limits, "runs longer than its time limit", Place::python, "timed_out", Depth::screen,
     Sign::conviction, 1.5},
    {"40", "hangs_at_import", "axpy", Guard::limits, "its import takes longer than its time limit", Place::python,
     "timed_out", Depth::screen, Sign::conviction, 1.5},
    {"40", "fork_bomb", "axpy", Guard::limits, "starts more than a thousand threads", Place::python,
     "launch_failed crashed"},
    {"40", "memory_hog", "axpy", Guard::limits, "asks for thirty-three gibibytes", Place::python,
     "launch_failed crashed"},
    {"40", "disk_hog", "axpy", Guard::limits, "writes a file beyond its size limit", Place::python,
     "launch_failed crashed"},
    {"40", "network", "axpy", Guard::limits, "opens the network", Place::python, "launch_failed crashed"},
    {"48", "forges_notes", "axpy", Guard::worker_text, "notes in the judge's name that it was certified", Place::python,
     "accepted", Depth::screen, Sign::label},
};

}  // namespace

std::span<const Specimen> python_specimens() { return in_python; }

}  // namespace hone::judge
