import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listening } from '../support/target/listening.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { publishWanted } from '../../local/run/publish.ts';
import { startService } from '../../local/run/service.ts';
import { descriptions } from '../support/generated/index.ts';
import type { Random } from '../support/random.ts';
import type { Fuzzed } from './counts.ts';
import { mutatedText } from './mutate-text.ts';
import { mutatedTree } from './mutate-tree.ts';
import { type FuzzedAnswer, fuzzOverHttp } from './over-http.ts';
import { mutatedArguments } from './subjects/arguments.ts';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };
const LIMITS = JSON.stringify({ public_requests_per_minute_per_ip: 10_000_000 });

/**
 * Sends the whole service calls of tools that were right once: over HTTP, through the gateway, the
 * router's thread and its stores, to an API that answers. Every answer has a status and a code that
 * blames the caller.
 */
export const fuzzRouter = async (count: number, seed: number): Promise<Fuzzed> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-fuzz-'));
  const service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: LIMITS },
    ...(await bundlesOfThisRun()),
  });
  const target = await listening(createServer((_, response) => response.end('fine')));
  try {
    const published = await Promise.all(
      descriptions(4, seed).map((description, index) =>
        publishWanted(service, 'owner-1', wanted(`fuzzed-${index}`, target.url), {
          openapi: JSON.stringify(description),
        }),
      ),
    );
    return await called(
      published.map(({ deployment }) => deployment.mcpUrl),
      count,
      seed,
    );
  } finally {
    await target.stop();
    await service.close();
    await rm(dataFolder, { recursive: true });
  }
};

const wanted = (slug: string, apiBaseUrl: string) => ({
  source: { file: slug },
  slug,
  authMethod: 'none' as const,
  apiBaseUrl,
  include: [],
  exclude: [],
});

interface Tool {
  readonly url: string;
  readonly name: string;
  readonly inputSchema: unknown;
}

const toolsAt = async (url: string): Promise<readonly Tool[]> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { result } = JSON.parse(await (await fetch(url, { ...POST, body })).text());
  return result.tools.map((tool: Omit<Tool, 'url'>) => ({ ...tool, url }));
};

const called = async (urls: readonly string[], count: number, seed: number): Promise<Fuzzed> => {
  const tools = (await Promise.all(urls.map(toolsAt))).flat();
  const requestFor = (random: Random) => {
    const tool = random.pick(tools);
    return { ...POST, url: tool.url, body: bodyFor(tool, random) };
  };
  return fuzzOverHttp('router', count, seed, requestFor, outcomeOf);
};

const bodyFor = ({ name, inputSchema }: Tool, random: Random): string | Buffer => {
  const args = mutatedArguments(inputSchema, random);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  if (random.oneIn(5)) return JSON.stringify(mutatedTree(call, random)) ?? '';
  return random.oneIn(5) ? mutatedText(JSON.stringify(call), random) : JSON.stringify(call);
};

/**
 * Source: JSON-RPC 2.0 §5.1; docs/protocol.md, "Error codes". An answer of the target is fine
 * whatever it says.
 */
const outcomeOf = ({ status, text }: FuzzedAnswer): string => {
  if (![200, 202, 400, 413].includes(status))
    return `FAULT status ${status}: ${text.slice(0, 200)}`;
  if (text === '') return `status ${status}`;
  const answers = [JSON.parse(text)].flat();
  const codes = answers.map(({ error }) => (error ? errorCode(error) : 'result'));
  const bad = codes.find((code) => code.startsWith('FAULT'));
  return bad ?? (codes.length === 1 ? (codes[0] ?? '') : 'a batch');
};

const BLAMES_THE_CALLER = [-32_700, -32_600, -32_601, -32_602];

const errorCode = (error: { code?: unknown; message?: unknown }): string =>
  BLAMES_THE_CALLER.includes(Number(error.code))
    ? String(error.code)
    : `FAULT error ${JSON.stringify(error).slice(0, 200)}`;
