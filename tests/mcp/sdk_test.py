"""`hone mcp`, driven by the official Python SDK in both revisions: sdk_test.py HONE

The SDK checks every message against its own types, and results against the tools' schemas. It is
not in Debian: tools/setup.sh test puts it into build/mcp-sdk where PyPI can be reached.
"""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from place import Place  # noqa: E402

try:
    import anyio
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp.shared.exceptions import MCPError
except ImportError as error:
    print(f"skipped: the MCP SDK (PyPI: mcp, 2.0 or newer) is not here: {error}")
    sys.exit(77)

HONE = sys.argv.pop(1)
LEGACY, MODERN = "legacy", "2026-07-28"


class Sdk(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.close)

    def each(self, work):
        """Does the work with a client of each revision, and with one that finds out by itself."""
        for mode in (LEGACY, MODERN, "auto"):
            with self.subTest(mode=mode):
                anyio.run(self._work, mode, work)

    async def _work(self, mode, work):
        server = StdioServerParameters(
            command=HONE,
            args=["mcp", "--folder", str(self.place.folder), "--device", "fake:1"],
            env={**os.environ, **self.place.environment},
        )
        async with Client(stdio_client(server), mode=mode) as client:
            await work(client)

    def test_the_client_that_can_choose_takes_the_newest_revision(self):
        async def work(client):
            self.assertEqual(client.protocol_version, "2026-07-28")

        anyio.run(self._work, "auto", work)

    def test_lists(self):
        async def work(client):
            tools = (await client.list_tools()).tools
            self.assertIn("evaluate", [tool.name for tool in tools])
            self.assertGreater(len((await client.list_resources()).resources), 5)
            self.assertTrue((await client.list_resource_templates()).resource_templates)
            text = (await client.read_resource("hone://guide")).contents[0].text
            self.assertIn("compare", text)
            prompt = await client.get_prompt("faster-kernel", {"task": "copy"})
            self.assertIn("task copy", prompt.messages[0].content.text)

        self.each(work)

    def test_results_conform_to_their_schemas(self):
        calls = [
            ("list_tasks", {}),
            ("describe_task", {"task": "copy"}),
            ("evaluate", {"task": "copy", "candidate": "good.fake"}),
            ("evaluate", {"task": "copy", "candidate": "wrong.fake"}),
            ("compare", {"task": "copy", "a": "good.fake", "b": "better.fake"}),
            ("compare", {"task": "copy", "a": "good.fake", "b": "wrong.fake"}),
            ("profile", {"task": "copy", "candidate": "good.fake"}),
            ("tune", {"task": "copy", "candidate": "tuned.fake", "force": True}),
            ("list_runs", {}),
            ("search_knowledge", {"words": "memory"}),
            ("status", {}),
        ]

        async def work(client):
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                self.assertFalse(result.is_error, (name, result.content))
                self.assertIsNotNone(result.structured_content)

        self.each(work)

    def test_progress_and_errors(self):
        async def work(client):
            told = []

            async def tell(progress, total, message):
                told.append((progress, message))

            arguments = {"task": "copy", "candidate": "good.fake"}
            await client.call_tool("evaluate", arguments, progress_callback=tell)
            self.assertTrue(told)
            result = await client.call_tool("evaluate", {**arguments, "candidate": "../x.cl"})
            self.assertTrue(result.is_error)
            self.assertIn("outside of", result.content[0].text)
            with self.assertRaises(MCPError):
                await client.call_tool("burn", {})

        self.each(work)

    def test_a_cancelled_evaluation(self):
        async def work(client):
            arguments = {"task": "copy", "candidate": "hang.fake", "time_limit": 600}
            with anyio.CancelScope() as scope:

                async def enough(*_):
                    scope.cancel()

                await client.call_tool("evaluate", arguments, progress_callback=enough)
            self.assertTrue(scope.cancelled_caught)
            after = await client.call_tool("evaluate", {"task": "copy", "candidate": "good.fake"})
            self.assertEqual(after.structured_content["outcome"], "accepted")

        self.each(work)


if __name__ == "__main__":
    unittest.main(verbosity=2)
