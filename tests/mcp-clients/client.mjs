// Lists the tools of an MCP server and calls some, with the SDK for JavaScript. Reads
// { url, token, calls: [{ name, arguments }] } and writes { tools, results }.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { url, token, calls } = JSON.parse(Buffer.concat(chunks).toString());

const client = new Client({ name: "client-from-npm", version: "1.0.0" });
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const { tools } = await client.listTools();
const results = [];
for (const call of calls) {
  const { isError, structuredContent } = await client.callTool(call);
  results.push({ isError: !!isError, structuredContent });
}
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), results }));
