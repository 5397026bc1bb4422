"""Tables for notebooks. Everything that is shown may come from a stranger, and is escaped."""

from __future__ import annotations

import html
from typing import Iterable, Sequence


def facts(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Nothing where there are no rows."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"

    body = "".join(cells("td", row) for row in rows)
    return f"<table>{cells('th', titles)}{body}</table>" if body else ""


def seconds_text(seconds: float | None) -> str:
    """Three significant digits and a unit, as the program prints times."""
    if seconds is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
