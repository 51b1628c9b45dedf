import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expecting, type RealClient, type Visit } from './real-client.ts';

const INSPECTOR = 'clients/launcher/build/index.js';

/** The Inspector's command line, which signs in too. */
export const inspector = (era: 'legacy' | 'modern'): RealClient => {
  const begin = ({ url }: Visit) => ['--cli', url, '--transport', 'http', '--protocol-era', era];
  const call = ['--method', 'tools/call', '--tool-name', 'getBook', '--tool-arg', 'book_id=1'];
  return {
    id: `inspector-${era}`,
    name: `Inspector CLI, --protocol-era ${era}`,
    package: '@modelcontextprotocol/inspector@2.12.0',
    open: async (visit) => {
      const listed = await visit.run(INSPECTOR, ...begin(visit), '--method', 'tools/list');
      expecting(listed, /"placeOrder"/);
      return expecting(await visit.run(INSPECTOR, ...begin(visit), ...call), /The Hound[^\\"]*/);
    },
    login: async (visit) =>
      expecting(await visit.runWithLogin(INSPECTOR, ...begin(visit), ...call), /The Hound[^\\"]*/),
  };
};

const MCPORTER = 'dist/cli.js';

export const mcporter: RealClient = {
  id: 'mcporter',
  name: 'mcporter',
  package: 'mcporter@0.12.3',
  open: async ({ run, url }) => {
    await run(MCPORTER, 'config', 'add', 'shop', url, '--allow-http');
    expecting(await run(MCPORTER, 'list', 'shop'), /7 tools/);
    return expecting(await run(MCPORTER, 'call', 'shop.getBook', 'book_id:1'), /The Hound[^"]*/);
  },
  login: async ({ run, runWithLogin, url, home }) => {
    await mkdir(join(home, 'config'), { recursive: true });
    await run(MCPORTER, 'config', 'add', 'shop', url, '--auth', 'oauth', '--allow-http');
    await runWithLogin(MCPORTER, 'auth', 'shop', '--no-browser');
    return expecting(await run(MCPORTER, 'call', 'shop.getBook', 'book_id:1'), /The Hound[^"]*/);
  },
};

const REMOTE = 'dist/proxy.js';

/** The bridge that Claude Desktop starts: it speaks over its pipes, to the official client here. */
const bridged = async (visit: Visit, path: string): Promise<string> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path, visit.url, '--transport', 'http-only'],
    env: { ...visit.environment },
    cwd: visit.home,
    stderr: 'pipe',
  });
  let told = '';
  let isSent = false;
  transport.stderr?.on('data', (chunk: Buffer) => {
    told += chunk.toString('utf8');
    const [address] = told.match(/http:\/\/\S+\/authorize\?\S+/) ?? [];
    if (address === undefined || isSent) return;
    isSent = true;
    void visit.signIn(address).then((back) => fetch(back));
  });
  const client = new Client({ name: 'clients', version: '1.0.0' });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
    return `${tools.length} tools`;
  } finally {
    await client.close();
  }
};

export const mcpRemote: RealClient = {
  id: 'mcp-remote',
  name: 'mcp-remote (Claude Desktop)',
  package: 'mcp-remote@0.15.1',
  open: async (visit) => bridged(visit, await visit.path(REMOTE)),
  login: async (visit) => bridged(visit, await visit.path(REMOTE)),
};
