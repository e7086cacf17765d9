"""Lists the tools of an MCP server and calls some, with the SDK for Python. Reads
{ url, token, calls: [{ name, arguments }] } and writes { tools, results }."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation


async def run(told):
    headers = {"Authorization": "Bearer " + told["token"]}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(told["url"], http_client=http)
        own = Implementation(name="client-from-pypi", version="1.0.0")
        async with Client(transport, client_info=own) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            results = []
            for call in told["calls"]:
                result = await client.call_tool(call["name"], call["arguments"])
                results.append(
                    {
                        "isError": bool(result.is_error),
                        "structuredContent": result.structured_content,
                    }
                )
    return {"tools": tools, "results": results}


print(json.dumps(asyncio.run(run(json.load(sys.stdin)))))
