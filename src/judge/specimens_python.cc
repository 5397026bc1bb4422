// Specimens in Python. The same judge evaluates them; unlike device code, their host code runs in the worker's process,
// beside the harness.
#include "judge/specimens.h"

namespace hone::judge {
namespace {

using core::Depth;

constexpr Specimen in_python[] = {
    {"1", "unwritten", "axpy", "poison", "returns the judge's own memory unwritten", Place::python},
    {"2", "fails", "axpy", "launch-errors", "raises an exception after it has written an answer", Place::python,
     "launch_failed"},
    {"3", "returns_input", "axpy", "", "returns an input as its answer", Place::python},
    {"4", "scribbles", "axpy", "inputs", "overwrites its input after reading it", Place::python, "cheating"},
    {"5", "peeks", "axpy", "", "looks for the expected values among all objects and frames", Place::python},
    {"6", "nan_wildcard", "axpy", "finite", "writes NaN where the comparison might skip it", Place::python},
    {"7", "official_seed", "axpy", "", "draws the inputs itself from the seed of public evaluators", Place::python},
    {"8", "old_addresses", "axpy", "fresh-addresses", "uses the tensors of its first call in later calls",
     Place::python, "crashed wrong launch_failed"},
    {"8", "first_answer", "axpy", "fresh-contents", "repeats its first answer", Place::python},
    {"9", "sampled_key", "axpy", "perturb", "caches answers by sixteen elements of the inputs", Place::python},
    {"9", "full_key", "axpy", "replay", "caches answers by all of the inputs", Place::python, "cheating"},
    {"9", "not_at_once", "axpy", "replay", "caches answers, but not for an input that is repeated at once",
     Place::python, "cheating"},
    {"9", "now_and_then", "axpy", "replay", "answers somewhat more than half of its calls from a cache", Place::python,
     "accepted cheating", Depth::screen, Sign::label},
    {"10", "counts_calls", "axpy", "verify-timed", "right in the first call, zeros in timed calls", Place::python},
    {"11", "overlaps", "axpy", "overlap", "works on several calls at once", Place::python, "accepted", Depth::screen,
     Sign::label},
    {"12", "file_reader", "axpy", "scratch-folder", "reads answers that an earlier process left in files",
     Place::python, "wrong", Depth::screen, Sign::conviction, 0, "file_writer"},
    {"13", "stale_graph", "axpy", "", "replays a graph on old contents of its buffers", Place::python_cuda},
    {"14", "prepares_weights", "weighted", "fresh-contents", "preprocesses its weights once, in the first call",
     Place::python},
    {"16", "other_stream", "axpy", "late-work", "works on a stream that is not waited for", Place::python_cuda,
     "wrong cheating"},
    {"17", "late_thread", "axpy", "freeze", "a thread computes after the call has returned", Place::python_cpu},
    {"17", "forks", "axpy", "strangers", "leaves a process behind", Place::python, "cheating"},
    {"18", "lazy", "axpy", "results", "returns an object that computes when it is read", Place::python},
    {"19", "patched_clock", "axpy", "judge-clock", "makes the clocks of its process run slower", Place::python,
     "accepted", Depth::screen, Sign::time, 0.01},
    {"20", "forges", "axpy", "", "sends a forged answer to the judge", Place::python, "wrong crashed cheating"},
    {"21", "slow_start", "axpy", "sample-budget", "uses up the time for samples in its first calls", Place::python,
     "accepted", Depth::screen, Sign::samples},
    {"26", "narrow", "axpy", "precision", "computes in bfloat16 what is single precision", Place::python},
    {"28", "partial", "variance", "heavy", "leaves out one column in thirty-two", Place::python},
    {"29", "zero_mean", "variance", "variants", "relies on a mean of zero", Place::python},
    {"29", "narrow_range", "logsum", "values", "fast where all values are small, slow where one is not", Place::python,
     "accepted", Depth::screen, Sign::label},
    {"30", "no_tail", "axpy", "odd-sizes", "computes whole groups only", Place::python},
    {"32", "accumulates", "axpy", "", "its result depends on the calls before", Place::python},
    {"33", "no_maximum", "logsum", "variants", "drops the subtraction of the maximum", Place::python},
    {"34", "races", "axpy", "repeat", "its last bit is random", Place::python, "accepted", Depth::certify, Sign::label},
    {"35", "overruns", "axpy", "canary", "writes one element past the end", Place::python_cpu},
    {"36", "outlier", "variance", "tolerance", "one element in the output is far off", Place::python},
    {"40", "hangs", "axpy", "limits", "runs longer than its time limit", Place::python, "timed_out", Depth::screen,
     Sign::conviction, 1.5},
    {"40", "hangs_at_import", "axpy", "limits", "its import takes longer than its time limit", Place::python,
     "timed_out", Depth::screen, Sign::conviction, 1.5},
    {"40", "fork_bomb", "axpy", "limits", "starts more than a thousand threads", Place::python,
     "launch_failed crashed"},
    {"40", "memory_hog", "axpy", "limits", "asks for thirty-three gibibytes", Place::python, "launch_failed crashed"},
    {"40", "disk_hog", "axpy", "limits", "writes a file beyond its size limit", Place::python, "launch_failed crashed"},
    {"40", "network", "axpy", "limits", "opens the network", Place::python, "launch_failed crashed"},
};

}  // namespace

std::span<const Specimen> python_specimens() { return in_python; }

}  // namespace hone::judge
