// A router as it starts on Lambda: imports the function's bundle, answers one `tools/list`, and tells
// what that took from the start of the process. The function's environment is that of this process.
const [bundle, path, list] = process.argv.slice(2);
const { handler } = await import(bundle);
const http = { method: 'POST', path, sourceIp: '192.0.2.1' };
const answer = await handler({
  version: '2.0',
  rawPath: path,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-03-26',
    host: 'localhost',
  },
  body: list,
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', http },
});
const wallMs = performance.now();
const { user, system } = process.cpuUsage();
const tools = JSON.parse(answer.body).result?.tools.length;
const told = { wallMs, cpuMs: (user + system) / 1000, tools };
process.stdout.write(`\n${JSON.stringify(told)}\n`, () => process.exit());
