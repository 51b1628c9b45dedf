import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { expecting, type RealClient, type Visit } from './real-client.ts';

const CLAUDE = 'cli-wrapper.cjs';
const CALLBACK_PORT = '33418';

export const claudeCode: RealClient = {
  id: 'claude-code',
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code@2.1.330',
  open: async (visit) => {
    const { run, url } = visit;
    expecting(await run(CLAUDE, 'mcp', 'add', '--transport', 'http', 'shop', url), /Added .* shop/);
    return expecting(await run(CLAUDE, 'mcp', 'list'), /(?<=- ).*Connected/);
  },
  login: async (visit) => {
    const { run, runWithLogin, url } = visit;
    // Its own metadata document is on the internet, which is not reached here: this is a client that its
    // user has registered.
    const id = await registered(visit);
    const client = ['--client-id', id, '--callback-port', CALLBACK_PORT];
    await run(CLAUDE, 'mcp', 'add', '--transport', 'http', ...client, 'shop', url);
    const signed = await runWithLogin(CLAUDE, 'mcp', 'login', '--no-browser', 'shop');
    expecting(signed, /(?:authenticated|success|connected)/i);
    return expecting(await run(CLAUDE, 'mcp', 'list'), /(?<=- ).*Connected/);
  },
};

const registered = async ({ issuer }: Visit): Promise<string> => {
  const redirect = `http://localhost:${CALLBACK_PORT}/callback`;
  const answer = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Claude Code',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
};

const CODEX = 'bin/codex.js';

const aCodex = (id: string, name: string, options: readonly string[]): RealClient => ({
  id,
  name,
  package: '@openai/codex@0.169.0',
  open: async (visit) => {
    await visit.run(CODEX, 'mcp', 'add', 'shop', '--url', visit.url);
    return toolsOfCodex(visit, options);
  },
  login: async (visit) => {
    const { run, runWithLogin, url } = visit;
    await run(CODEX, 'mcp', 'add', 'shop', '--url', url);
    // Its own metadata document is on the internet, which is not reached here.
    const register = ['--oauth-client-registration', 'dcr'];
    const signed = await runWithLogin(CODEX, ...options, 'mcp', 'login', 'shop', ...register);
    expecting(signed, /Successfully logged in/);
    return toolsOfCodex(visit, options);
  },
});

export const codex = aCodex('codex', 'Codex', []);
export const codexModern = aCodex('codex-modern', 'Codex, with its feature for 2026-07-28', [
  '--enable',
  'mcp_2026_07_28',
]);

/** Its own server for editors tells what its MCP servers offer. */
const toolsOfCodex = async (visit: Visit, options: readonly string[]): Promise<string> => {
  const { environment: env, home: cwd } = visit;
  const program = [await visit.path(CODEX), ...options, 'app-server'];
  const child = spawn(process.execPath, program, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => undefined);
  const clientInfo = { name: 'clients', title: 'clients', version: '1' };
  send({ id: 1, method: 'initialize', params: { clientInfo } });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: CodexStatus };
      if (id === 1) {
        send({ method: 'initialized' });
        send({ id: 2, method: 'mcpServerStatus/list', params: {} });
      }
      if (id !== 2) continue;
      const [shop] = result?.data ?? [];
      const tools = Object.keys(shop?.tools ?? {});
      if (tools.length === 0) throw new Error('it knows no tools');
      return `${tools.length} tools`;
    }
    throw new Error('it ended without an answer');
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
};

interface CodexStatus {
  readonly data?: readonly { readonly tools: Readonly<Record<string, unknown>> }[];
}

/** Two of one family: they list their servers with whether they connect, and sign in in a session only. */
const listing = (id: string, name: string, packageName: string, file: string): RealClient => ({
  id,
  name,
  package: packageName,
  open: async ({ run, url }) => {
    const where = ['--transport', 'http', '--scope', 'user'];
    expecting(await run(file, 'mcp', 'add', ...where, 'shop', url), /"?shop"? added/);
    return expecting(await run(file, 'mcp', 'list'), /(?<=- )Connected/);
  },
});

export const gemini = listing(
  'gemini-cli',
  'Gemini CLI',
  '@google/gemini-cli@0.61.0',
  'bundle/gemini.js',
);
export const qwen = listing('qwen-code', 'Qwen Code', '@qwen-code/qwen-code@0.24.4', 'cli.js');
