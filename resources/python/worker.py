"""One worker in Python behind the same wire as Hone's own (src/runner/worker.cc): messages are JSON
on descriptor 3, memory and large texts come as descriptors with them. The word after the script's
name is its role.

`candidate` runs a stranger's ModelNew or custom_kernel. That code is hostile and shares this
process: it can change all that stands here, so nothing here is evidence. The judge believes its own
memory and its own clock. `library` runs plans with operations of torch's (library.py), and no host
code of the candidate's. In the other roles (answers.py, idle.py) only the task's own problem runs
here, or nothing.
"""
import faulthandler
import json
import os
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

import ahead
import answers
import blocks
import candidate
import idle
import library

ROLES = {"candidate": candidate.Callee, "library": library.Library, "reference": answers.Reference,
         "baseline": answers.Baseline, "idle": idle.Idle}


class Worker:
    def __init__(self, control, role):
        self.control = control
        self.role = role
        self.plans = []
        self.blocks = None
        self.callee = None
        self.prepared, self.prepared_for = None, None
        self.attached = []  # descriptors that go with the next answer

    def serve(self):
        while True:
            message, descriptors = blocks.receive(self.control)
            if message is None or message["op"] == "end":
                return
            operation = getattr(self, "on_" + message["op"], None)
            try:
                if operation is None:
                    answer = {"broken": "unknown message " + message["op"]}
                else:
                    answer = operation(message, descriptors)
            except blocks.Refused as refused:
                answer = {"error": str(refused)}
            except Exception as error:
                answer = {"broken": f"{type(error).__name__}: {error}"[:4000]}
            for descriptor in descriptors:
                os.close(descriptor)
            blocks.send(self.control, answer, self.attached)
            while self.attached:
                os.close(self.attached.pop())

    # Before all others: nothing else may lie between the word and the call.
    def on_go(self, message, descriptors):
        return self.prepared()

    def on_open(self, message, descriptors):
        torch.set_num_threads(max(1, message.get("threads", 1)))
        self.blocks = blocks.open_blocks(message["device"])
        self.callee = ROLES[self.role](torch.device(blocks.torch_device(message["device"])))
        return {"ok": True}

    def on_load(self, message, descriptors):
        if self.role == "library":
            return {
                "kernels": self.callee.load(blocks.read_file(descriptors[0]), message["kernels"])
            }
        if len(descriptors) > 1:
            ahead.take(blocks.read_file(descriptors[1]))
        notes = self.callee.load(blocks.json_of(descriptors[0]))
        return {"kernels": [], "notes": notes or []}

    def on_block(self, message, descriptors):
        return {"id": self.blocks.take(descriptors[0], message["bytes"])}

    def on_drop(self, message, descriptors):
        self.prepared = None
        self.callee.release()
        self.blocks.drop()
        return {"ok": True}

    def on_plan(self, message, descriptors):
        self.plans.append(blocks.json_of(descriptors[0]))
        return {"id": len(self.plans) - 1}

    def on_prepare(self, message, descriptors):
        wanted = (message["plan"], message["sets"])
        same = not message["fresh"] and self.role != "library" and self.prepared_for == wanted
        if not same or self.prepared is None:
            self.prepared, self.prepared_for = None, wanted
            self.prepared = self.callee.prepare(self.plans[message["plan"]], message, self.blocks)
        return {"ok": True}

    def on_activities(self, message, descriptors):
        recorded = getattr(self.callee, "recorded", None)
        if recorded is None:
            return {"error": "the last call was not recorded"}
        self.attached.append(blocks.memory_file(json.dumps(recorded).encode(), "activities"))
        return {"ok": True}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ROLES:
        raise SystemExit("the roles of this worker: " + ", ".join(ROLES))
    faulthandler.enable(all_threads=False)  # code that takes too long is asked where it is
    Worker(socket.socket(fileno=blocks.CONTROL), sys.argv[1]).serve()


main()
