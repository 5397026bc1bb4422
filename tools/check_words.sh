#!/bin/sh
# Refuses the words that docs/glossary.md retires: tools/check_words.sh [REPOSITORY]
# It reads the code, its tests, resources, docs, tools and the build files. A use that is right,
# such as a JSON key that archives hold, stands in tools/words_allowed.txt: a file name pattern, a
# space, and a regular expression for the line.
cd "${1:-.}" || exit 2
python=$(command -v python3) || { echo "skipped: the word check needs python3"; exit 0; }
exec "$python" -B - <<'PYTHON'
import fnmatch
import pathlib
import re
import sys

# A retired expression, and what to write instead.
RETIRED = [
    (r"\b(whoever|somebody|nobody|everybody|anybody)\b",
     "name the process, the user or the reader"),
    (r"(?<!users )(?<!people )(?<!person )(?<!anyone )(?<!someone )(?<!readers )(?<!expert )"
     r"(?<!those )\bwho\b",
     "`that`, or the name of the thing: a process or kernel is never `who`"),
    (r"\bnurser(y|ies)\b", "fork server"),
    (r"\bkeepers?\b", "supervisor"),
    (r"\boutlook\b|\bhopeless(ly)?\b", "early stopping; clearly slower"),
    (r"\bduels?\b|\bfights?\b", "comparison"),
    (r"\bfruitless\b", "without a result"),
    (r"\bjourneys?\b", "remote; the time on the way"),
    (r"\bthe (one|ones) to beat\b|\bcrown(ed|s)?\b", "incumbent"),
    (r"\bpatien(ce|t)\b", "deadline, time limit"),
    (r"\bg(i|a)ve(s|n)? up\b|\bgiving up\b", "stops, is stopped early, cancellation"),
    (r"\bnameless (name)?spaces?\b", "anonymous namespace"),
    (r"\bpacket borders\b", "message boundaries"),
    (r"\brows? of calls\b|\bat one word\b|\bcalls in a row\b", "batch of calls"),
    (r"\bremembered answers?\b", "cached answer"),
    (r"\bbeginnings? of an? (id|hash)\b", "prefix"),
    (r"\bmend(s|ed|ing)?\b", "fix"),
    (r"\bworkbench(es)?\b", "tensor operations"),
    (r"\bmembers?\b", "node (of a run)"),
    (r"\bindividuals?\b", "node"),
    (r"\bby right\b|\bto no avail\b|\bwhatever it be\b", "say it plainly"),
    (r"\bstor(y|ies)\b", "run summary"),
]
READ = ["src", "tests", "resources", "docs", "tools", "cmake", "bench", "examples"]
SUFFIXES = {".cc", ".h", ".md", ".txt", ".cmake", ".sh", ".py", ".toml", ".sql", ".cu", ".cl", ""}
# Recordings, kernels that were measured as they are, data, and the lists of these words themselves.
NOT_READ = ["bench/results/recorded/*", "bench/corpus/*", "bench/kernelbench/*", "bench/h200/*",
            "tests/data/*", "tests/fuzz/corpus/*", "resources/sql/migrations/*",
            "tools/check_words.sh", "tools/words_allowed.txt", "docs/glossary.md"]

allowed = []
for line in pathlib.Path("tools/words_allowed.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        pattern, expression = line.split(" ", 1)
        allowed.append((pattern, re.compile(expression)))

top = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt", "Makefile")
files = [pathlib.Path(name) for name in top]
for folder in READ:
    found_here = sorted(pathlib.Path(folder).rglob("*"))
    files += [p for p in found_here if p.is_file() and p.suffix in SUFFIXES]

retired = [(re.compile(expression, re.I), instead) for expression, instead in RETIRED]
found = 0
for path in files:
    name = str(path)
    if any(fnmatch.fnmatch(name, pattern) for pattern in NOT_READ) or "__pycache__" in name:
        continue
    exceptions = [expression for pattern, expression in allowed if fnmatch.fnmatch(name, pattern)]
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        for expression, instead in retired:
            word = expression.search(line.replace("_", " "))
            if word and not any(exception.search(line) for exception in exceptions):
                print(f"{name}:{number}: \"{word.group(0)}\" is retired; write: {instead}")
                found += 1
sys.exit(1 if found else 0)
PYTHON
