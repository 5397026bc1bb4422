#pragma once
// Where runs are tried: the copy task on the fake GPU, whose times are what the kernels say, and a
// model that is a shell script.
#include <sys/stat.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "copy_task.h"
#include "hone_binary.h"
#include "store/archive.h"

namespace hone::end_to_end {

// Answers by role and step, and writes down every question it is asked. The first writer of the
// first generation finds something; the third writer is wrong at its first try.
inline constexpr const char* laboratory_model = R"sh(#!/bin/sh
cat > /dev/null
echo "$HONE_STEP" >> "$ASKED"
kernel() {
  printf '```\n/* hone 1\n[[launch]]\nkernel = "copy"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n*/\nkernel copy(buffer, buffer) %s ns=%s\n```\n## Report\nThe time is another.\n' "$1" "$2"
}
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "the first is as good as any"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "two", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel"},
    {"description": "three", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "four", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "five", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": ["Copies are quicker when they say so."], "reports": []}' ;;
  writer)
    case $HONE_STEP in
      *writer-3/try-1) kernel zeros 100 ;;
      seed/*) kernel copy 900000000 ;;
      *) generation=$(echo "$HONE_STEP" | sed 's/^g0*\([0-9]*\).*/\1/')
         writer=$(echo "$HONE_STEP" | sed 's/[^-]*-0*\([0-9]*\).*/\1/')
         if [ "$generation" = 1 ] && [ "$writer" = 1 ]; then kernel copy 700000000; else kernel copy $((2000000000 + 10000000 * generation + 1000000 * writer)); fi ;;
    esac ;;
esac
)sh";

inline constexpr const char* laboratory_seed = R"(/* hone 1
[[launch]]
kernel = "copy"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel copy(buffer, buffer) copy ns=1000000000
)";

struct Laboratory {
  explicit Laboratory(const std::string& script = laboratory_model) {
    write_copy_task(hone.folder() / "copy");
    base::write_file_atomically(hone.folder() / "seed.fake", laboratory_seed);
    base::write_file_atomically(hone.folder() / "model.sh", script);
    ::chmod((hone.folder() / "model.sh").c_str(), 0755);
    hone.set("ASKED", hone.folder() / "asked");
  }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"run",
                                    hone.folder() / "copy",
                                    "--device",
                                    "fake:1",
                                    "--seed",
                                    hone.folder() / "seed.fake",
                                    "--llm",
                                    "exec:" + (hone.folder() / "model.sh").string(),
                                    "--max-candidates",
                                    "8"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> asked() const {
    std::vector<std::string> steps;
    std::istringstream lines(base::read_file(hone.folder() / "asked"));
    for (std::string line; std::getline(lines, line);) steps.push_back(line);
    return steps;
  }
  store::Archive archive() const { return store::Archive::open(hone.home() / "archive.db"); }

  Hone hone;
};

}  // namespace hone::end_to_end
