#!/bin/sh
# Refuses lines of code and prose over 100 columns: tools/check_width.sh [REPOSITORY]
# Excepted are, in pages, tables, URLs, and blocks of code without a language or with `console`,
# which hold output; in code, the contents of raw and multi-line string literals. Not read are
# kernels (candidates, specimens, what was measured as it is), templates that end up in files of
# users, migrations, and texts for models, in which a paragraph is a line.
cd "${1:-.}" || exit 2
python=$(command -v python3) || { echo "skipped: the width check needs python3"; exit 0; }
exec "$python" -B - <<'PYTHON'
import fnmatch
import io
import pathlib
import re
import sys
import tokenize

WIDEST = 100
SKIPPED = {"build", "dist", ".git", ".venv", "__pycache__"}
READ = ["*.md", "CMakeLists.txt", "*/CMakeLists.txt", "Makefile", "CMakePresets.json", "*.cmake",
        "src/*.cc", "src/*.h", "tests/*.cc", "tests/*.h", "bench/*.cc", "*.sh", "*.py",
        "resources/sql/*.sql", "resources/cuda/*.cu", "resources/include/hone/*.h"]
NOT_READ = ["bench/results/recorded/*", "bench/corpus/tasks/*", "bench/kernelbench/*/*",
            "bench/h200/*/*", "examples/*/statement.md",
            "tests/data/*", "resources/prompts/*", "resources/knowledge/*", "resources/export/*",
            "resources/selftest/*", "resources/task/*", "resources/sql/migrations/*"]


def blanked(match):
    return re.sub(r"[^\n]", "", match[0])


def lines_of_page(text):
    language = None  # of the block of code that the line is in
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            language = line.strip()[3:] if language is None else None
        elif language not in ("", "console") and not line.lstrip().startswith("|"):
            yield number, re.sub(r"https?://\S+", "", line)


def lines_of_cpp(text):
    text = re.sub(r'R"(\w*)\(.*?\)\1"', blanked, text, flags=re.S)
    return enumerate(text.split("\n"), 1)


def lines_of_python(text):
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_text = token.type == tokenize.STRING and token.start[0] != token.end[0]
        if is_text and lines[token.start[0] - 1].strip().find(token.string[:4]) > 0:
            for number in range(token.start[0] - 1, token.end[0]):
                lines[number] = ""
    return enumerate(lines, 1)


readers = {".md": lines_of_page, ".cc": lines_of_cpp, ".h": lines_of_cpp, ".cu": lines_of_cpp,
           ".py": lines_of_python}
found = 0
for path in sorted(pathlib.Path(".").rglob("*")):
    name = str(path)
    if path.parts[0].startswith(".") or not path.is_file() or SKIPPED & set(path.parts):
        continue
    if not any(fnmatch.fnmatch(name, pattern) for pattern in READ):
        continue
    if any(fnmatch.fnmatch(name, pattern) for pattern in NOT_READ):
        continue
    reader = readers.get(path.suffix, lambda text: enumerate(text.split("\n"), 1))
    for number, line in reader(path.read_text(errors="replace")):
        if len(line) > WIDEST:
            print(f"{name}:{number}: {len(line)} columns; {WIDEST} are the most")
            found += 1
sys.exit(1 if found else 0)
PYTHON
