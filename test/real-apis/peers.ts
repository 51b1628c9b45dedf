import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { load } from 'js-yaml-4';
import { connected, listTokens, madeCalls, type MadeCalls } from './calls.ts';
import { installNpm } from './install.ts';
import { at, type Call, emptyFolder, type RealApi } from './real-api.ts';

/** Another server that makes tools of OpenAPI descriptions, started by the same client for the same calls. */
interface Peer {
  readonly name: string;
  readonly version: string;
  /** The program, and its arguments. */
  readonly command: (given: GivenApi) => readonly string[];
}

interface GivenApi {
  readonly file: string;
  /** With the path that its description says. */
  readonly base: string;
  /** Where only those that are called are to become tools. */
  readonly operations?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

const PEERS: readonly Peer[] = [
  {
    name: 'mcp-openapi',
    version: '0.3.0',
    // Without `--base-url`, of which it leaves the path out; of more than 100 operations it shows three tools.
    command: ({ file, headers, operations }) => [
      'dist/bin/mcp-openapi.js',
      '--spec',
      file,
      '--no-doc-warnings',
      ...(operations ? ['--include', operations.join(',')] : []),
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]),
    ],
  },
  {
    name: '@ivotoby/openapi-mcp-server',
    version: '1.16.1',
    command: ({ file, base, headers }) => [
      'bin/mcp-server.js',
      '--openapi-spec',
      file,
      '--api-base-url',
      base,
      '--transport',
      'stdio',
      '--disable-abbreviation',
      'true',
      '--verbose',
      'false',
      ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}:${value}`]),
    ],
  },
];

/** Keeps a program from reaching anything but this machine. */
const GUARD = new URL('loopback-only.mjs', import.meta.url).href;

export type PeerResult = { readonly name: string } & (
  | (MadeCalls & { readonly listTokens: number })
  | { readonly failed: string }
);

/**
 * The same calls by each peer, with the API started anew for each: what it names and groups otherwise is mapped, so
 * that a call is wrong where its answer is, and not for the form of its arguments.
 */
export const callsByPeers = async (api: RealApi, cache: string): Promise<readonly PeerResult[]> => {
  const results: PeerResult[] = [];
  for (const peer of PEERS) {
    try {
      results.push({ name: peer.name, ...(await callsBy(peer, api, cache)) });
    } catch (error) {
      results.push({ name: peer.name, failed: String(error).slice(0, 300) });
    }
  }
  return results;
};

const callsBy = async (peer: Peer, api: RealApi, cache: string) => {
  const modules = await installNpm(cache, [`${peer.name}@${peer.version}`]);
  await using folder = await emptyFolder();
  await using running = await api.start(folder.path, cache);
  const file = join(folder.path, running.description.file);
  const { origin, headers } = running;
  const root = load(running.description.text) as Json;
  const base = origin + basePath(root, origin);
  await writeFile(file, JSON.stringify(atAddress(root, base)));
  const given = { file, base, headers };
  const opened = async (more: Partial<GivenApi> = {}) => {
    const [program = '', ...args] = peer.command({ ...given, ...more });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--import', GUARD, join(modules, peer.name, program), ...args],
      stderr: 'ignore',
    });
    return connected(transport);
  };
  const operations = running.calls.map(({ tool }) => tool);
  await using whole = await opened();
  const isLarge = (await whole.listTools()).tools.length < operations.length / 2;
  await using client = isLarge ? await opened({ operations }) : await opened();
  const calls = await callsFor(client, running.calls, root);
  const made = await madeCalls(client, calls, { holdsBudget: false });
  return { ...made, listTokens: await listTokens(whole) };
};

type Json = Readonly<Record<string, unknown>>;

/** The path of the address that the description names. */
const basePath = (root: Json, origin: string): string => {
  const server = String(at(root, 'servers', 0, 'url') ?? '');
  const path = at(root, 'basePath') ?? URL.parse(server, origin)?.pathname ?? '';
  return String(path).replace(/\/$/, '');
};

/** The description, with the address at which the API is now. */
const atAddress = (root: Json, base: string): Json => {
  if (!('swagger' in root)) return { ...root, servers: [{ url: base }] };
  const { host, pathname } = new URL(base);
  return { ...root, host, basePath: pathname, schemes: ['http'] };
};

/** The same calls by the names that the server has for tools and arguments. */
const callsFor = async (
  client: Client,
  calls: readonly Call[],
  root: Json,
): Promise<readonly Call[]> => {
  const { tools } = await client.listTools();
  const byName = new Map(tools.map((tool) => [plainName(tool.name), tool]));
  const names = namesOf(root);
  return calls.map((call) => {
    const wanted = plainName(call.tool);
    const others = names.find((known) => known.includes(wanted)) ?? [wanted];
    const tool = others.map((name) => byName.get(name)).find((found) => found !== undefined);
    if (!tool) return call;
    const properties = new Set(Object.keys(tool.inputSchema.properties ?? {}));
    return {
      ...call,
      tool: tool.name,
      args: () => argumentsFor(properties, { ...ONLY_SERVER, ...call.args() }),
    };
  });
};

/** What each operation may be called: by its id, its method and path, or its summary. */
const namesOf = (root: Json): readonly (readonly string[])[] =>
  Object.entries(Object(root['paths']) as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      [at(operation, 'operationId'), `${method} ${path}`, at(operation, 'summary')]
        .filter((name) => typeof name === 'string')
        .map(plainName),
    ),
  );

/** What the owner has fixed here, callers give there. */
const ONLY_SERVER = { server_id: 'localhost' };

const plainName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();

/** A body stands in a member of its own, or its members stand among the arguments. */
const argumentsFor = (
  properties: ReadonlySet<string>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const container = ['requestBody', 'body'].find((name) => properties.has(name));
  const made: Record<string, unknown> = {};
  const inBody: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (properties.has(name)) made[name] = value;
    else if (name === 'body' && container) made[container] = value;
    else if (name === 'body' && typeof value === 'object' && !Array.isArray(value)) {
      Object.assign(made, value);
    } else if (name === 'server_id') continue;
    else if (container) inBody[name] = value;
    else made[name] = value;
  }
  if (container && Object.keys(inBody).length > 0) made[container] ??= inBody;
  return made;
};
