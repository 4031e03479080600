"""One session of the official Python SDK with an MCP server, steered by JSON on stdin and told as JSON on stdout.

{"server": URL or {"command", "args", "env", "cwd"}, "mode": "auto" | "legacy", "answer": null or text, "calls": [{"tool", "arguments"}]}
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult


async def main() -> None:
    order = json.load(sys.stdin)
    server = order["server"] if isinstance(order["server"], str) else StdioServerParameters(**order["server"])
    questions = []

    async def ask(_context, params):
        questions.append(params.message)
        return ElicitResult(action="accept", content={"answer": order["answer"]})

    callback = ask if order["answer"] else None
    async with Client(server, mode=order["mode"], elicitation_callback=callback) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        answers = []
        for call in order["calls"]:
            result = await client.call_tool(call["tool"], call["arguments"])
            answers.append("".join(part.text for part in result.content if part.type == "text"))
        version = client.protocol_version
    json.dump({"version": version, "tools": tools, "answers": answers, "questions": questions}, sys.stdout)


asyncio.run(main())
