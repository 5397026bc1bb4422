#!/bin/sh
# Refuses links that lead nowhere: tools/check_links.sh [REPOSITORY]
# Every relative link in a *.md file must name a file of the repository, and what follows # a
# heading of that page. Pages that the code and the other files name, such as docs/trust.md, must be
# there too. Text in code is not looked at in pages.
cd "${1:-.}" || exit 2
python=$(command -v python3) || { echo "skipped: the link check needs python3"; exit 0; }
exec "$python" -B - <<'PYTHON'
import pathlib
import re
import sys

SKIPPED = {"build", "dist", ".git", ".venv", "__pycache__"}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Pages and results as comments, messages and other files name them.
NAMED = re.compile(r"\b(?:docs|bench/results)/[\w./-]+\.(?:md|jsonl)\b")
SUFFIXES = {".cc", ".h", ".py", ".sh", ".txt", ".cmake", ".sql", ".toml", ".cu", ".cl", ".md", ""}
problems = []


def without_code(text):
    text = re.sub(r"^(\s*)```.*?^\s*```", lambda code: "\n" * code[0].count("\n"), text,
                  flags=re.M | re.S)
    return re.sub(r"`[^`]*`", lambda code: "\n" * code[0].count("\n"), text)


# As GitHub makes them of headings: lower case, blanks as hyphens, other signs left out.
def anchors_of(page):
    found = set()
    text = re.sub(r"^(\s*)```.*?^\s*```", "", page.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        heading = LINK.sub(lambda link: link[0][1:].split("]")[0], heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        while anchor in found:
            anchor += "-1"
        found.add(anchor)
    return found


def check_page(page):
    text = page.read_text()
    plain = without_code(text)
    for link in LINK.finditer(plain):
        target = link[1]
        if re.match(r"[a-z]+:", target):
            continue
        number = plain.count("\n", 0, link.start()) + 1
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page.resolve()
        if not there.exists():
            problems.append(f"{page}:{number}: {target}: there is no such file")
        elif anchor and there.suffix == ".md" and anchor not in anchors_of(there):
            problems.append(f"{page}:{number}: {target}: the page has no such heading")


for path in sorted(pathlib.Path(".").rglob("*")):
    hidden = path.parts[0].startswith(".")
    if hidden or not path.is_file() or path.suffix not in SUFFIXES or SKIPPED & set(path.parts):
        continue
    if path.suffix == ".md" and "recorded" not in path.parts[:-1]:
        check_page(path)
    text = path.read_text(errors="replace")
    for named in NAMED.finditer(text):
        if not pathlib.Path(named[0]).exists():
            number = text.count("\n", 0, named.start()) + 1
            problems.append(f"{path}:{number}: {named[0]}: there is no such file")

print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
PYTHON
