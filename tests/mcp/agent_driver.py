#!/usr/bin/env python3
"""Lets an agent that has nothing but the tools of `hone mcp` work: agent_driver.py HONE FOLDER BOX

The agent, a model or a person, puts calls into the folder BOX, as call-001.json, call-002.json:
    {"tool": "evaluate", "arguments": {"task": "sum", "candidate": "v2.cl"}, "why": "a sentence"}
and finds answer-001.txt, ... beside them. The list of tools is in BOX/tools.json, the guide in
BOX/guide.md. One server lives through all of it. {"tool": "end"} ends it and leaves
BOX/transcript.md. Options behind BOX go to the server.
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import MODERN, Client  # noqa: E402

PAUSE = 0.2  # seconds between two looks into the box
LONGEST = 1500  # characters of a text in the transcript


def shortened(text):
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip() + "\n[...]"


def fenced(text):
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}\n"


def next_call(box, number):
    file = box / f"call-{number:03}.json"
    while True:
        if file.exists():
            try:
                return json.loads(file.read_text())
            except ValueError:
                pass  # it is still being written
        time.sleep(PAUSE)


def main(binary, folder, box, *options):
    box = pathlib.Path(box)
    box.mkdir(parents=True, exist_ok=True)
    with Client(binary, folder, *options, revision=MODERN) as client, open(
        box / "transcript.md", "w", encoding="utf-8"
    ) as transcript:
        client.open()
        tools = client.request("tools/list")["result"]["tools"]
        (box / "tools.json").write_text(json.dumps(tools, indent=1))
        guide = client.request("resources/read", {"uri": "hone://guide"})["result"]["contents"][0]
        (box / "guide.md").write_text(guide["text"])
        number = 1
        while True:
            call = next_call(box, number)
            if call["tool"] == "end":
                return
            began = time.monotonic()
            answer = client.request(
                "tools/call", {"name": call["tool"], "arguments": call.get("arguments", {})}
            )
            if "result" in answer:
                text = "\n".join(part["text"] for part in answer["result"]["content"])
            else:
                text = answer["error"]["message"]
            took = time.monotonic() - began
            arguments = {
                name: shortened(value) if isinstance(value, str) else value
                for name, value in call.get("arguments", {}).items()
            }
            source = arguments.pop("source", None)
            transcript.write(f"### {number}. {call['tool']} {json.dumps(arguments)}\n\n")
            if call.get("why"):
                transcript.write(call["why"] + "\n\n")
            if source:
                transcript.write(fenced(source) + "\n")
            transcript.write(f"{took:.1f} s:\n\n{fenced(shortened(text))}\n")
            transcript.flush()
            partial = box / f"answer-{number:03}.part"
            partial.write_text(text)
            partial.rename(box / f"answer-{number:03}.txt")
            number += 1


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
