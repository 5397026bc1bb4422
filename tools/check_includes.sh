#!/bin/sh
# Holds the code and the docs to the module lists in CMakeLists.txt: tools/check_includes.sh
# [REPOSITORY]
# The lines `hone_module(NAME DEPENDS ...)` say which modules a module may include headers of.
# Refused are: an include of any other module, a folder under src/ without such a line, a list that
# leaves out what one of its own modules needs, and a diagram in docs/design.md (the block that
# begins with ```modules) that lacks a module or shows one above its users.
cd "${1:-.}" || exit 2
python=$(command -v python3) || { echo "skipped: the include check needs python3"; exit 0; }
exec "$python" -B - <<'PYTHON'
import pathlib
import re
import sys

problems = []
text = pathlib.Path("CMakeLists.txt").read_text()
modules = {}
for name, arguments in re.findall(r"^hone_module\((\w+)([^)]*)\)", text, re.M):
    listed = re.search(r"DEPENDS ([\w\s]+?)(?: LINKS|$)", arguments)
    modules[name] = listed.group(1).split() if listed else []

for folder in sorted(p.name for p in pathlib.Path("src").iterdir() if p.is_dir()):
    if folder not in modules:
        problems.append(f"src/{folder} has no line hone_module({folder} ...) in CMakeLists.txt")
for name, allowed in modules.items():
    for other in allowed:
        for needed in modules.get(other, []):
            if needed not in allowed:
                problems.append(f"CMakeLists.txt: {name} lists {other}, so it must list {needed}")
    for path in sorted(pathlib.Path("src", name).rglob("*.[ch]*")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'#include "([a-z_]+)/', line)
            other = include.group(1) if include else name
            if other in modules and other not in [name, *allowed]:
                problems.append(f"{path}:{number}: {name} may not include {other} (CMakeLists.txt)")

design = pathlib.Path("docs/design.md").read_text()
diagram = re.search(r"^```modules\n(.*?)^```", design, re.M | re.S)
if not diagram:
    problems.append("docs/design.md has no block that begins with ```modules")
else:
    row_of = {}
    for row, line in enumerate(diagram.group(1).splitlines()):
        for name in re.split(r"\s{3,}", line.strip())[0].split():
            row_of[name] = row
    for name, allowed in modules.items():
        if name not in row_of:
            problems.append(f"docs/design.md: the diagram lacks the module {name}")
        for other in allowed:
            if name in row_of and other in row_of and row_of[other] <= row_of[name]:
                problems.append(f"docs/design.md: {name} uses {other}: show {other} in a lower row")
    for name in row_of:
        if name not in modules:
            problems.append(f"docs/design.md: the diagram shows {name}, which is not a module")

print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
PYTHON
