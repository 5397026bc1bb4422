"""`hone mcp`, driven by a raw client of each revision, faults included: server_test.py HONE

The device is the fake GPU, whose clock is its own, so nothing here depends on the machine's speed.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import LEGACY, LIMIT, MODERN, Client  # noqa: E402
from place import Place, candidate  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

HONE = sys.argv.pop(1)
TOOLS = {
    "list_tasks", "describe_task", "check_task", "new_task", "save_candidate", "evaluate",
    "compare", "profile", "tune", "export", "search_knowledge", "show", "best", "list_runs",
    "start_run", "resume_run", "watch_run", "stop_run", "status",
}  # fmt: skip


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.close)

    def client(self, revision=LEGACY, *options, opened=True, device="fake:1"):
        client = Client(
            HONE,
            self.place.folder,
            "--device",
            device,
            *options,
            revision=revision,
            environment=self.place.environment,
        )
        self.addCleanup(client.close)
        if opened:
            client.open()
        return client

    def both(self):
        return [self.client(revision) for revision in (LEGACY, MODERN)]

    def refused(self, client, tool, *parts, **arguments):
        result = client.call(tool, **arguments)
        self.assertTrue(result["isError"], result)
        self.assertNotIn("structuredContent", result)
        for part in parts:
            self.assertIn(part, result["content"][0]["text"])


class Opening(ServerTest):
    def test_a_client_of_2025_11_25_is_answered_in_its_revision(self):
        result = self.client(opened=False).open()
        self.assertEqual(result["protocolVersion"], LEGACY)
        self.assertEqual(result["serverInfo"]["name"], "hone")
        self.assertEqual(set(result["capabilities"]), {"tools", "resources", "prompts"})
        self.assertNotIn("resultType", result)

    def test_a_client_of_2026_07_28_discovers_the_server(self):
        result = self.client(MODERN, opened=False).open()
        self.assertEqual(result["supportedVersions"], [MODERN])
        self.assertEqual(result["resultType"], "complete")
        self.assertEqual(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "hone")
        self.assertGreaterEqual(result["ttlMs"], 0)
        self.assertIn(result["cacheScope"], ("public", "private"))

    def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(self):
        client = self.client(MODERN, opened=False)
        meta = {
            "io.modelcontextprotocol/protocolVersion": "1900-01-01",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        client.write(json.dumps(
            {"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {"_meta": meta}}
        ))
        error = client.wait("a")["error"]
        self.assertEqual(error["code"], -32022)
        self.assertEqual(error["data"], {"supported": [MODERN], "requested": "1900-01-01"})

    def test_a_request_without_capabilities_is_malformed(self):
        client = self.client(MODERN, opened=False)
        meta = {"io.modelcontextprotocol/protocolVersion": MODERN}
        client.write(json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
        ))
        self.assertEqual(client.wait(1)["error"]["code"], -32602)

    def test_a_request_that_says_no_version_and_was_not_initialized_is_refused(self):
        client = self.client(LEGACY, opened=False)
        self.assertIn("initialize", client.request("tools/list")["error"]["message"])
        self.assertEqual(client.request("ping")["result"], {})
        self.assertEqual(client.request("server/discover")["error"]["code"], -32602)

    def test_both_revisions_are_spoken_on_one_connection(self):
        client = self.client(LEGACY)
        client.revision = MODERN
        self.assertEqual(client.request("tools/list")["result"]["resultType"], "complete")
        client.revision = LEGACY
        self.assertNotIn("resultType", client.request("tools/list")["result"])

    def test_it_ends_with_its_input_and_writes_nothing_but_messages(self):
        for client in self.both():
            client.call("status")
            self.assertEqual(client.close(), 0)

    def test_a_subscription_is_acknowledged_and_closed_gracefully(self):
        client = self.client(MODERN)
        number = client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        said = client.wait_for_notification(lambda n: n["method"].endswith("acknowledged"))
        key = "io.modelcontextprotocol/subscriptionId"
        self.assertEqual(said["params"]["_meta"][key], number)
        self.assertEqual(said["params"]["notifications"], {})
        client.close()
        self.assertEqual(client.wait(number)["result"]["_meta"][key], number)


class Lists(ServerTest):
    def test_tools_have_names_texts_and_schemas(self):
        for client in self.both():
            tools = client.request("tools/list")["result"]["tools"]
            self.assertEqual({tool["name"] for tool in tools}, TOOLS)
            for tool in tools:
                self.assertTrue(tool["description"] and tool["title"])
                self.assertEqual(tool["inputSchema"]["type"], "object")
                self.assertIs(tool["inputSchema"]["additionalProperties"], False)
                self.assertEqual(tool["outputSchema"]["type"], "object")

    @unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
    def test_schemas_are_valid(self):
        for tool in self.client().request("tools/list")["result"]["tools"]:
            for schema in (tool["inputSchema"], tool["outputSchema"]):
                jsonschema.Draft202012Validator.check_schema(schema)

    def test_resources_are_listed_and_read(self):
        for client in self.both():
            listed = client.request("resources/list")["result"]["resources"]
            uris = [resource["uri"] for resource in listed]
            for uri in ("hone://guide", "hone://format/opencl", "hone://knowledge/cpu",
                        "hone://task/copy"):  # fmt: skip
                self.assertIn(uri, uris)
                result = client.request("resources/read", {"uri": uri})["result"]
                self.assertEqual(result["contents"][0]["uri"], uri)
                self.assertGreater(len(result["contents"][0]["text"]), 100)
            templates = client.request("resources/templates/list")["result"]["resourceTemplates"]
            self.assertIn("hone://node/{run}/{number}", [t["uriTemplate"] for t in templates])

    def test_a_resource_that_is_not_there_has_the_code_of_its_revision(self):
        for revision, code in ((LEGACY, -32002), (MODERN, -32602)):
            client = self.client(revision)
            for uri in ("hone://nothing", "file:///etc/passwd", "hone://task/..%2F..%2Fetc", ""):
                error = client.request("resources/read", {"uri": uri})["error"]
                self.assertEqual(error["code"], code, error)

    def test_the_prompt_names_task_and_goal(self):
        for client in self.both():
            prompts = client.request("prompts/list")["result"]["prompts"]
            self.assertEqual([p["name"] for p in prompts], ["faster-kernel"])
            arguments = {"task": "copy", "goal": "twice as fast"}
            got = client.request("prompts/get", {"name": "faster-kernel", "arguments": arguments})
            text = got["result"]["messages"][0]["content"]["text"]
            self.assertIn("task copy faster", text)
            self.assertIn("twice as fast", text)
            missing = client.request("prompts/get", {"name": "faster-kernel"})
            self.assertIn("task", missing["error"]["message"])


class Work(ServerTest):
    def check(self, client, tool, **arguments):
        """The structured result of a call that works, and conforms to the tool's schema."""
        result = client.call(tool, **arguments)
        self.assertFalse(result["isError"], result)
        if jsonschema:
            tools = client.request("tools/list")["result"]["tools"]
            schema = next(t["outputSchema"] for t in tools if t["name"] == tool)
            jsonschema.Draft202012Validator(schema).validate(result["structuredContent"])
        return result["structuredContent"]

    def test_an_agent_improves_a_kernel(self):
        for client in self.both():
            tasks = self.check(client, "list_tasks")["tasks"]
            self.assertEqual([task["task"] for task in tasks], ["copy"])
            described = self.check(client, "describe_task", task="copy", format=False)
            self.assertIn("call.output", described["reference"])
            first = self.check(client, "evaluate", task="copy", candidate="good.fake")
            self.assertEqual(first["outcome"], "accepted")
            wrong = self.check(client, "evaluate", task="copy", candidate="wrong.fake")
            self.assertEqual(wrong["outcome"], "wrong")
            verdict = self.check(client, "compare", task="copy", a="good.fake", b="better.fake")
            self.assertEqual(verdict["word"], "faster")
            shown = self.check(client, "show", id=first["id"])
            self.assertEqual(shown["kind"], "evaluation")
            candidate_shown = self.check(client, "show", id=first["key"]["candidate"])
            self.assertIn("kernel run", candidate_shown["source"])

    def test_profile_tune_check_and_export_speak_as_their_schemas_say(self):
        client = self.client()
        profile = self.check(client, "profile", task="copy", candidate="good.fake")
        self.assertIn("advice", profile)
        self.check(client, "profile", task="copy", candidate="wrong.fake")
        tuned = self.check(client, "tune", task="copy", candidate="tuned.fake")
        self.assertEqual(tuned["winner"], {"T": 1})
        self.assertTrue((self.place.folder / tuned["written"]).is_file())
        self.assertEqual(self.check(client, "list_runs")["runs"][0]["best_point"], {"T": 1})
        self.check(client, "check_task", task="copy")
        self.check(client, "search_knowledge", words="vector memory")
        best = self.check(client, "best", run=tuned["run"], out="best.fake")
        self.assertEqual(best["written"], ["best.fake"])

    def test_a_kernel_becomes_a_task(self):
        client = self.client()
        kernel = "__kernel void twice(__global const float* x, __global float* y, int n) {}\n"
        saved = self.check(client, "save_candidate", file="mine/twice.cl", source=kernel)
        self.assertEqual(saved["bytes"], len(kernel))
        made = self.check(client, "new_task", folder="twice", **{"from": "mine/twice.cl"})
        self.assertIn("twice/task.toml", made["written"])
        self.refused(client, "new_task", "twice", folder="twice", **{"from": "mine/twice.cl"})

    def test_progress_is_told_where_it_was_asked_for(self):
        for client in self.both():
            number = client.send(
                "tools/call",
                {"name": "evaluate", "arguments": {"task": "copy", "candidate": "good.fake"}},
                progress="mine",
            )
            self.assertFalse(client.wait(number)["result"]["isError"])
            told = [n["params"] for n in client.notifications]
            self.assertTrue(told)
            self.assertEqual({one["progressToken"] for one in told}, {"mine"})
            progress = [one["progress"] for one in told]
            self.assertEqual(progress, sorted(set(progress)))
            client.notifications.clear()
            client.call("evaluate", task="copy", candidate="good.fake")
            self.assertEqual(client.notifications, [])


class Runs(ServerTest):
    """With a model that is a script: it waits for a file, and answers with a kernel."""

    def setUp(self):
        super().setUp()
        answer = f"```opencl\n{candidate('copy ns=1000000000')}```\n\n## Report\nIt copies.\n"
        self.place.write("../answer.md", answer)
        self.gate = self.place.outside / "gate"
        script = self.place.write(
            "../model.sh",
            "#!/bin/sh\ncat >/dev/null\n"
            f'while [ ! -e "{self.gate}" ]; do sleep 0.1; done\n'
            f'cat "{self.place.folder}/../answer.md"\n',
        )
        script.chmod(0o755)
        self.model = f"exec:{script.resolve()}"

    def start(self, client, candidates=2):
        result = client.call(
            "start_run", task="copy", strategy="oneshot", max_candidates=candidates
        )
        self.assertFalse(result["isError"], result)
        return result["structuredContent"]["run"]

    def state(self, client, run):
        return client.call("watch_run", run=run, wait_seconds=600)["structuredContent"]["state"]

    def test_a_run_is_started_watched_and_read(self):
        self.gate.touch()
        for client in (self.client(r, "--llm", self.model) for r in (LEGACY, MODERN)):
            run = self.start(client)
            self.assertEqual(self.state(client, run), "finished")
            best = client.call("best", run=run)["structuredContent"]
            self.assertIn("copy ns=1000000000", best["source"])
            node = client.request("resources/read", {"uri": f"hone://node/{run}/00001"})
            self.assertIn("kernel run", node["result"]["contents"][0]["text"])
            self.assertIn(run, client.text("list_runs"))

    def test_a_run_is_stopped_and_goes_on_later(self):
        client = self.client(LEGACY, "--llm", self.model)
        run = self.start(client)
        self.assertEqual(client.call("status")["structuredContent"]["runs"], [run])
        self.assertEqual(
            client.call("watch_run", run=run)["structuredContent"]["state"], "running"
        )
        self.refused(client, "stop_run", "no run", run="r000000000000")
        self.assertFalse(client.call("stop_run", run=run)["isError"])
        self.assertEqual(self.state(client, run), "stopped")
        self.gate.touch()
        again = client.call("resume_run", run=run)
        self.assertEqual(again["structuredContent"]["run"], run)
        self.assertEqual(self.state(client, run), "finished")

    def test_a_run_ends_with_its_server_and_can_be_resumed(self):
        client = self.client(MODERN, "--llm", self.model)
        run = self.start(client)
        client.close()
        client = self.client(MODERN, "--llm", self.model)
        self.assertIn(self.state(client, run), ("stopped", "killed"))
        self.gate.touch()
        self.assertFalse(client.call("resume_run", run=run)["isError"])
        self.assertEqual(self.state(client, run), "finished")

    def test_runs_spend_no_more_dollars_than_the_server_has(self):
        options = ("--llm", self.model, "--price", "1,1", "--max-usd", "0.5")
        client = self.client(LEGACY, *options)
        run = self.start(client)
        self.refused(client, "start_run", "0.5 of 0.5 dollars", "--max-usd", task="copy")
        self.gate.touch()
        self.assertEqual(self.state(client, run), "finished")
        self.assertEqual(client.call("status")["structuredContent"]["max_usd"], 0.5)

    def test_an_agent_names_no_model_and_spends_no_more_than_the_server_has(self):
        client = self.client(LEGACY, "--llm", self.model, "--max-evals", "3")
        self.refused(client, "start_run", "no argument", task="copy", llm="exec:touch stolen")
        self.gate.touch()
        run = self.start(client, candidates=100)
        self.assertEqual(self.state(client, run), "finished")
        progress = client.call("watch_run", run=run)["structuredContent"]
        self.assertLessEqual(progress["candidates"]["all"], 3)


class Refusals(ServerTest):
    def test_errors_are_the_sentences_of_the_command_line(self):
        for client in self.both():
            self.refused(client, "evaluate", "nothere", task="nothere", candidate="good.fake")
            self.refused(client, "evaluate", "no such case", "odd, main",
                         task="copy", candidate="good.fake", case="third")  # fmt: skip
            self.refused(client, "evaluate", "the two the wrong way round",
                         task="mine.cl" if self.place.write("mine.cl", "x") else "",
                         candidate="copy")  # fmt: skip
            self.refused(client, "start_run", "has no model", "--llm", task="copy")

    def test_arguments_are_refused_by_name(self):
        client = self.client()
        self.refused(client, "evaluate", 'no argument "canditate"', "candidate",
                     task="copy", canditate="good.fake")  # fmt: skip
        self.refused(client, "evaluate", 'has no "candidate"', task="copy")
        self.refused(client, "evaluate", '"task" is no text', task=7, candidate="good.fake")
        self.refused(client, "compare", '"max_seconds" is -1', task="copy", a="good.fake",
                     b="good.fake", max_seconds=-1)  # fmt: skip
        self.refused(client, "tune", "max_evals", task="copy", candidate="tuned.fake", max_evals=-5)
        self.refused(client, "show", "no id", id="../../etc/passwd")
        self.refused(client, "save_candidate", ".cl, .cu or .py", file="x.sh", source="")
        self.refused(client, "best", ".cl, .cu or .py", run="r1", out="Makefile", force=True)
        self.refused(client, "save_candidate", "reference of a task", file="copy/reference.py",
                     source="x", overwrite=True)  # fmt: skip

    def test_paths_outside_the_folder_are_refused(self):
        (self.place.folder / "link.cl").symlink_to(self.place.outside / "secret.cl")
        (self.place.folder / "out").symlink_to(self.place.outside)
        (self.place.folder / "linked").mkdir()
        (self.place.folder / "linked/task.toml").symlink_to(self.place.outside / "secret.cl")
        client = self.client()
        for path in ("../outside/secret.cl", "/etc/passwd", "link.cl", "out/secret.cl",
                     str(self.place.outside / "secret.cl")):  # fmt: skip
            self.refused(client, "evaluate", "outside of", task="copy", candidate=path)
            self.refused(client, "save_candidate", "outside of", file=path, source="x",
                         overwrite=True)  # fmt: skip
            self.refused(client, "export", "outside of", task="copy", candidate="good.fake",
                         out=path)  # fmt: skip
        for path in ("..", "/", "linked", "out"):
            self.refused(client, "evaluate", "outside of", task=path, candidate="good.fake")
        self.refused(client, "evaluate", "colon", task="gpumode:/etc:x", candidate="good.fake")
        self.refused(client, "evaluate", "outside of", task="gpumode:/etc", candidate="good.fake")
        self.refused(client, "new_task", "outside of", folder="../task")
        self.refused(client, "save_candidate", "hidden", file=".hone/resources/python/x.py",
                     source="x")  # fmt: skip
        self.assertEqual((self.place.outside / "secret.cl").read_text(), "secret")

    def test_files_of_the_folder_do_not_change_the_judge(self):
        self.place.environment["HONE_CONFIG"] = str(self.place.write("own.toml", ""))
        self.place.write("hone.toml", 'model = "exec:touch stolen"\n')
        self.place.write(".hone/resources/knowledge/stolen.md", "For: any\n# stolen words\n")
        client = self.client(LEGACY)
        self.refused(client, "start_run", "has no model", task="copy")
        self.assertNotIn("stolen", client.text("search_knowledge", words="stolen"))

    def test_a_file_with_another_text_is_not_overwritten(self):
        client = self.client()
        client.call("save_candidate", file="a.cl", source="one")
        self.assertFalse(client.call("save_candidate", file="a.cl", source="one")["isError"])
        self.refused(client, "save_candidate", "overwrite", file="a.cl", source="two")
        result = client.call("save_candidate", file="a.cl", source="two", overwrite=True)
        self.assertFalse(result["isError"])

    def test_the_budget_ends(self):
        client = self.client(LEGACY, "--max-evals", "2")
        for _ in range(2):
            client.call("evaluate", task="copy", candidate="good.fake")
        self.refused(client, "evaluate", "budget", "2 of 2", "--max-evals",
                     task="copy", candidate="good.fake")  # fmt: skip
        self.assertEqual(client.call("status")["structuredContent"]["evals"], 2)
        client = self.client(LEGACY, "--max-evals", "2")
        client.call("evaluate", task="copy", candidate="nothere.fake")
        self.assertEqual(client.call("status")["structuredContent"]["evals"], 0)
        tuned = client.call("tune", task="copy", candidate="tuned.fake")["structuredContent"]
        self.assertLessEqual(tuned["points"]["done"], 2)

    def test_minutes_end_a_call_that_is_at_work(self):
        client = self.client(LEGACY, "--max-minutes", "0.02", device="fake:1")
        self.refused(client, "evaluate", "minutes", task="copy", candidate="hang.fake")
        self.refused(client, "evaluate", "budget", "--max-minutes",
                     task="copy", candidate="good.fake")  # fmt: skip


class Hostility(ServerTest):
    def alive(self, client):
        self.assertFalse(client.call("status")["isError"])

    def test_malformed_messages_are_refused_and_end_nothing(self):
        for client in self.both():
            for text, code in (
                ("{", -32700),
                ("hello", -32700),
                (b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}', -32700),
                ("[]", -32600),
                ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
                ("{}", -32600),
                ('{"jsonrpc": "1.0", "method": "ping"}', -32600),
                ('{"jsonrpc": "2.0"}', -32600),
                ('{"jsonrpc": "2.0", "method": 7}', -32600),
                ('{"jsonrpc": "2.0", "id": null, "method": 7}', -32600),
                ("[" * 100000, -32700),
                ("[" * 100000 + "]" * 100000, -32600),
                ('"' + "x" * (5 << 20) + '"', -32600),
            ):
                client.write(text)
                answer = client.unnumbered.get(timeout=LIMIT)
                self.assertEqual(answer["error"]["code"], code, text[:60])
                self.assertTrue(answer["error"]["message"])
            for text, code in (
                ('{"jsonrpc": "2.0", "id": "p1", "method": "tools/call", "params": []}', -32602),
                ('{"jsonrpc": "2.0", "id": "p2", "method": "tools/call", "params": 7}', -32602),
                ('{"jsonrpc": "2.0", "id": "p3", "method": "x", "params": {"_meta": 1}}', -32602),
                ('{"jsonrpc": "1.0", "id": "p4", "method": "ping"}', -32600),
            ):
                client.write(text)
                number = json.loads(text)["id"]
                self.assertEqual(client.wait(number)["error"]["code"], code, text)
            client.write("")
            client.write('{"jsonrpc": "2.0", "id": 99999, "result": {}}')
            client.notify("notifications/nothing", {"deep": [[[]]]})
            client.notify("notifications/cancelled", {"requestId": {"no": "id"}})
            client.notify("notifications/cancelled")
            self.alive(client)

    def test_unknown_methods_and_tools_are_errors_of_the_protocol(self):
        for client in self.both():
            self.assertEqual(client.request("tools/burn")["error"]["code"], -32601)
            nothing = client.request("tools/call", {"name": "status", "arguments": None})
            self.assertFalse(nothing["result"]["isError"])
            error = client.request("tools/call", {"name": "burn", "arguments": {}})["error"]
            self.assertEqual(error["code"], -32602)
            self.assertIn("Unknown tool: burn", error["message"])
            for params in ({}, {"name": 7}, {"name": "status", "arguments": "no"}):
                answer = client.request("tools/call", params)
                self.assertTrue("error" in answer or answer["result"]["isError"], answer)
            self.alive(client)

    def test_oversized_arguments_are_refused(self):
        for client in self.both():
            large = "x" * (2 << 20)
            self.refused(client, "save_candidate", "bytes", file="large.cl", source=large)
            self.refused(client, "evaluate", "no path", task=large, candidate="good.fake")
            self.refused(client, "evaluate", "entries", task="copy", candidate="good.fake",
                         set=["A=1"] * 1000)  # fmt: skip
            self.refused(client, "search_knowledge", "limit", words="x", limit=10**9)
            self.alive(client)

    def test_an_id_in_use_is_refused(self):
        client = self.client()
        number = client.send(
            "tools/call",
            {"name": "evaluate", "arguments": {"task": "copy", "candidate": "hang.fake"}},
        )
        client.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}))
        self.assertEqual(client.wait(number)["error"]["code"], -32600)
        client.notify("notifications/cancelled", {"requestId": number})
        self.alive(client)

    def test_a_cancelled_evaluation_ends_at_once_and_is_not_answered(self):
        for client in self.both():
            arguments = {"task": "copy", "candidate": "hang.fake", "time_limit": 600}
            number = client.send(
                "tools/call", {"name": "evaluate", "arguments": arguments}, progress=1
            )
            client.wait_for_notification(lambda n: n["method"] == "notifications/progress")
            client.notify("notifications/cancelled", {"requestId": number, "reason": "enough"})
            # The device is free again: another call gets it, far below the hanging one's limit.
            after = client.call("evaluate", task="copy", candidate="good.fake")
            self.assertEqual(after["structuredContent"]["outcome"], "accepted")
            told = len(client.notifications)
            self.alive(client)
            self.assertNotIn(number, client.answers)
            self.assertEqual(len(client.notifications), told)

    def test_a_thousand_calls_at_once_are_all_answered(self):
        client = self.client()
        numbers = [
            client.send("tools/call", {"name": "status", "arguments": {}}) for _ in range(1000)
        ]
        results = [client.wait(number)["result"] for number in numbers]
        self.assertTrue(any(not result["isError"] for result in results))
        for result in results:
            if result["isError"]:
                self.assertIn("calls wait already", result["content"][0]["text"])
        self.alive(client)

    def test_two_clients_judge_at_once_with_one_device(self):
        clients = [self.client(LEGACY), self.client(MODERN)]
        outcomes = []

        def work(client):
            for name in ("good.fake", "better.fake"):
                result = client.call("evaluate", task="copy", candidate=name)
                outcomes.append(result["structuredContent"]["outcome"])

        threads = [threading.Thread(target=work, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(outcomes, ["accepted"] * 4)

    def test_calls_of_one_client_overlap(self):
        client = self.client()
        arguments = {"task": "copy", "candidate": "hang.fake"}
        slow = client.send("tools/call", {"name": "evaluate", "arguments": arguments})
        self.alive(client)
        self.assertNotIn(slow, client.answers)
        client.notify("notifications/cancelled", {"requestId": slow})

    def test_what_a_killed_server_started_ends_with_it(self):
        client = self.client()
        arguments = {"task": "copy", "candidate": "hang.fake", "time_limit": 600}
        client.send("tools/call", {"name": "evaluate", "arguments": arguments}, progress=1)
        client.wait_for_notification(lambda n: n["method"] == "notifications/progress")
        os.kill(client.process.pid, signal.SIGKILL)
        client.process.wait(LIMIT)
        client.wait_for_end_of_streams()


class CommandLine(ServerTest):
    def run_hone(self, *words):
        return subprocess.run([HONE, *words], capture_output=True, text=True, timeout=LIMIT,
                              env={**os.environ, **self.place.environment})  # fmt: skip

    def test_options_that_mean_nothing_are_refused(self):
        for words, text in (
            (("--json",), "--install"),
            (("--folder", "/no/such/folder"), "no such folder"),
            (("--max-evals", "0"), "--max-evals"),
            (("--max-minutes", "nan"), "--max-minutes"),
        ):
            done = self.run_hone("mcp", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)

    def test_instructions_are_written_and_not_overwritten(self):
        folder = self.place.folder / "new"
        done = self.run_hone("mcp", "--install", str(folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"mcpServers"', done.stdout)
        text = (folder / "HONE.md").read_text()
        self.assertLess(len(text.splitlines()), 80)
        for tool in ("describe_task", "evaluate", "compare", "profile", "tune", "export"):
            self.assertIn(f"`{tool}`", text)
        (folder / "HONE.md").write_text("mine")
        again = self.run_hone("mcp", "--install", str(folder))
        self.assertNotEqual(again.returncode, 0)
        self.assertEqual((folder / "HONE.md").read_text(), "mine")
        forced = self.run_hone("mcp", "--install", str(folder), "--force", "--json")
        self.assertEqual(json.loads(forced.stdout)["written"], str(folder / "HONE.md"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
