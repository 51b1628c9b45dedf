/**
 * How many source files and functions of the service one warm request runs, by V8's precise coverage:
 * what somebody has to read who follows that request through the code.
 *
 *   npm run bench -- files-per-request             the three numbers
 *   npm run bench -- files-per-request --list      and the files, each with the functions that ran
 *
 * Router, authorization server and management run in this process, behind the gateway of the local
 * service; what other functions and the stand-in for AWS run is not counted.
 *
 * Goals: at most 80 files for a tool call, 40 for a code at /token, 110 for a publication.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionSettings, localFunction } from '../local/functions/index.ts';
import { aRawClient } from '../test/support/oauth/raw-oauth-client.ts';
import { signedIn } from '../test/support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../test/support/service/whole-service.ts';
import { rpc } from './fifty-tools.ts';
import { printTable, type Row } from './table.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COUNTED = ['layers/', 'lambdas/'];
const HERE = ['router', 'oauth', 'management'];
const WARM_UP = 3;

export const bench = async (): Promise<void> => {
  const counts = await countsOfRequests();
  printTable(
    'Source files and functions that one warm request runs',
    ['files', 'functions', 'folders', 'lines of the files'],
    [...counts].map(([title, files]): Row => [title, ...sizesOf(files)]),
    ['goals: at most 80, 40 and 110 files'],
  );
  if (!process.argv.includes('--list')) return;
  for (const [title, files] of counts) {
    console.log(`\n${title}`);
    for (const [file, names] of files) console.log(`  ${file}: ${names.join(', ')}`);
  }
};

/** Functions that ran, by the file they are in. */
type Ran = ReadonlyMap<string, readonly string[]>;

const countsOfRequests = async (): Promise<ReadonlyMap<string, Ran>> => {
  const writeOut = process.stdout.write;
  // The functions log to the standard output of this process.
  process.stdout.write = () => true;
  const service = await startWholeService({ active_deployments_per_user: 100 }, { runFunction });
  try {
    return await countEach(await requestsTo(service));
  } finally {
    await service.stop();
    process.stdout.write = writeOut;
  }
};

/** A function in this process; those that are not counted have a thread of their own. */
const runFunction: typeof localFunction = (settings) =>
  HERE.includes(settings.name) ? functionHere(settings) : localFunction(settings);

const functionHere = ({ entry, start }: FunctionSettings): ReturnType<typeof localFunction> => {
  const starting = Promise.all([import(entry.href), start]).then(
    ([{ start: startFunction }, { environment, options }]) => startFunction(environment, options),
  );
  return {
    ready: async () => void (await starting),
    invoke: async (event) => {
      const handler = await starting;
      return JSON.stringify((await handler(JSON.parse(event), CONTEXT)) ?? null);
    },
    thawed: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
};

/** The part of Lambda's context that functions read. */
const CONTEXT = { getRemainingTimeInMillis: () => 20_000 };

/** Prepares a request; what it returns sends it, resolves with the status and is counted. */
type Request = () => Promise<() => Promise<number>>;

const requestsTo = async (service: WholeService): Promise<ReadonlyMap<string, Request>> => {
  const { person, send } = await signedIn(service);
  const server = await service.publish(person);
  const credential = { type: 'bearer', token: randomUUID() };
  await send('PUT', `/deployments/${server.slug}/credential`, credential);
  const client = await aRawClient(service);
  const browser = service.browser();
  const { access_token: token } = await client.tokens(browser, person, server);
  let slugs = 0;
  return new Map<string, Request>([
    [
      'tools/call, oauth, with a credential',
      async () => () => statusOf(call(server.messagesUrl, token)),
    ],
    [
      '/token, a code of a public client',
      async () => {
        const code = await client.code(browser, person, server);
        return () => statusOf(client.redeem(code));
      },
    ],
    [
      'publication, two operations',
      async () => async () => {
        slugs += 1;
        const query = `slug=two-operations-${slugs}&mcp_auth_method=none`;
        return (await send('POST', `/deployments?${query}`, TWO_OPERATIONS)).status;
      },
    ],
  ]);
};

const call = (url: string, token: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: rpc('tools/call', { name: 'listBooks', arguments: { genre: 'fantasy', max_price: 20 } }),
  });

const TWO_OPERATIONS = {
  openapi: '3.1.0',
  info: { title: 'Two operations', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/items': { get: { operationId: 'listItems', responses: { 200: { description: 'All.' } } } },
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'The item.' } },
      },
    },
  },
};

/** @throws Error for a tool's error, which is answered with 200 */
const statusOf = async (answering: Promise<Response>): Promise<number> => {
  const answer = await answering;
  const text = await answer.text();
  if (text.includes('"isError":true')) throw new Error(text);
  return answer.status;
};

const countEach = async (
  requests: ReadonlyMap<string, Request>,
): Promise<ReadonlyMap<string, Ran>> => {
  const counts = new Map<string, Ran>();
  using profiler = await startCoverage();
  for (const [title, prepare] of requests) {
    for (let sent = 0; sent < WARM_UP; sent += 1) await (await prepare())();
    const request = await prepare();
    await profiler.take();
    const status = await request();
    counts.set(title, functionsThatRan(await profiler.take()));
    // What a refusal runs is less.
    if (status >= 300) throw new Error(`${title} answered ${status}`);
  }
  return counts;
};

const startCoverage = async () => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    /** What ran since it was taken before. */
    take: async () => (await session.post('Profiler.takePreciseCoverage')).result,
    [Symbol.dispose]: () => session.disconnect(),
  };
};

const functionsThatRan = (scripts: readonly Profiler.ScriptCoverage[]): Ran => {
  const ran = scripts
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, functions }) => {
      const file = relative(ROOT, fileURLToPath(url));
      // The function that begins at 0 is the module itself.
      const called = functions.filter(
        ({ ranges: [all] }) => all && all.count > 0 && all.startOffset > 0,
      );
      return [file, called.map(({ functionName }) => functionName || '(anonymous)')] as const;
    })
    .filter(([file, names]) => isCounted(file) && names.length > 0);
  return new Map(ran.toSorted(([one], [other]) => one.localeCompare(other)));
};

const isCounted = (file: string): boolean =>
  COUNTED.some((folder) => file.startsWith(folder)) && !file.includes('node_modules');

const sizesOf = (files: Ran): readonly number[] => [
  files.size,
  [...files.values()].flat().length,
  new Set([...files.keys()].map(dirname)).size,
  [...files.keys()].reduce((sum, file) => sum + linesOf(file), 0),
];

const linesOf = (file: string): number =>
  readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
