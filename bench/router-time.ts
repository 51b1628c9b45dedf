/**
 * Processor time that the router's thread takes for a tool call and for a list of fifty tools, beside
 * that of a bare server of the official SDK with the same fifty tools, stateless (a server for each
 * request, as its examples have it), which calls the same target:
 *
 *   router                our function, event in and result out, as Lambda calls it; it reads the
 *                         deployment, counts the request in DynamoDB, checks the arguments, builds the
 *                         request, guards the address, logs
 *   router, 2026-07-28    the same, asked in the version without a handshake
 *   bare SDK, function    the SDK behind its web-standard transport, event in and result out: the twin
 *   bare SDK, HTTP        the SDK behind its HTTP transport; HTTP is part of its time here
 *
 * Rounds of the four take turns; what counts is the median round. Then a profile of the router.
 *
 * Goal: the router takes at most twice the time of the bare SDK.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../local/run/service.ts';
import { CALL, description, modernRpc, rpc } from './fifty-tools.ts';
import { httpClient } from './http.ts';
import { type MeasuredThread, startMeasuredThread } from './measured-thread.ts';
import { median, ms, printTable, type Row, times } from './table.ts';
import { startTarget } from './target.ts';

const MODERN = '2026-07-28';
const WARM_UP = 500;
const ROUNDS = 5;
const CALLS_PER_ROUND = 200;

const METHODS = [
  ['tools/call', rpc('tools/call', CALL), modernRpc('tools/call', CALL)],
  ['tools/list', rpc('tools/list'), modernRpc('tools/list')],
] as const;

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await publishing(target.url);
  using http = httpClient();
  const { environment, options } = await service.startArguments('router');
  const path = '/v1/mcp-router/fifty-tools/messages';
  await using router = await startMeasuredThread({
    kind: 'router',
    path,
    environment,
    options: options as object,
  });
  await using twin = await startMeasuredThread({ kind: 'sdk-function', targetUrl: target.url });
  await using server = await startMeasuredThread({ kind: 'sdk-server', targetUrl: target.url });
  const overHttp = async (body: string, count: number) => {
    let answer = '';
    for (let sent = 0; sent < count; sent += 1) answer = await http.postJson(server.url, body);
    return answer;
  };
  const subjects = [
    ['router', router, router.serve],
    ['router, 2026-07-28', router, router.serve],
    ['bare SDK, function', twin, twin.serve],
    ['bare SDK, HTTP', server, overHttp],
  ] as const;

  const rows: Row[] = [];
  for (const [method, legacy, modern] of METHODS) {
    const bodyFor = (name: string) => (name.endsWith(MODERN) ? modern : legacy);
    const rounds = subjects.map((): number[] => []);
    for (const [name, , serve] of subjects) {
      checkAnswer(method, await serve(bodyFor(name), WARM_UP));
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, [name, thread, serve]] of subjects.entries()) {
        const before = await thread.cpuMs();
        await serve(bodyFor(name), CALLS_PER_ROUND);
        rounds[index]?.push(((await thread.cpuMs()) - before) / CALLS_PER_ROUND);
      }
    }
    const own = median(rounds[0] ?? []);
    for (const [index, [name]] of subjects.entries()) {
      const time = median(rounds[index] ?? []);
      rows.push([`${method}, ${name}`, ms(time), index === 0 ? '' : times(own / time)]);
    }
  }
  printTable('Processor time per request', ['time', 'router / this'], rows, [
    'goal: at most 2.00 x',
  ]);
  for (const [method, body] of METHODS) await printProfile(method, body, router);
};

/**
 * The processor time of the router for a call of a tool, in milliseconds, alone: the median round. A public
 * deployment; a token is one call to AWS more.
 */
export const routerCpuMs = async (): Promise<number> => {
  await using target = await startTarget();
  await using service = await publishing(target.url);
  const { environment, options } = await service.startArguments('router');
  const path = '/v1/mcp-router/fifty-tools/messages';
  const subject = { kind: 'router', path, environment, options: options as object } as const;
  await using router = await startMeasuredThread(subject);
  const body = rpc('tools/call', CALL);
  checkAnswer('tools/call', await router.serve(body, WARM_UP));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await router.cpuMs();
    await router.serve(body, CALLS_PER_ROUND);
    rounds.push(((await router.cpuMs()) - before) / CALLS_PER_ROUND);
  }
  return median(rounds);
};

const printProfile = async (method: string, body: string, router: MeasuredThread) => {
  const count = ROUNDS * CALLS_PER_ROUND;
  const spent = Object.entries(await router.profile(body, count));
  const all = spent.reduce((sum, [, time]) => sum + time, 0);
  const rows = spent
    .toSorted(([, one], [, other]) => other - one)
    .map(([owner, time]): Row => [owner, ms(time / count), `${((100 * time) / all).toFixed(0)} %`]);
  printTable(
    `What the router's time of ${method} is spent on (under the profiler)`,
    ['time', ''],
    rows,
  );
};

/** A benchmark of errors would be fast. */
const checkAnswer = (method: string, answer: string): void => {
  const expected = method === 'tools/call' ? 'an item' : 'getItem49';
  if (!answer.includes(expected)) throw new Error(`${method} was not answered: ${answer}`);
};

/** The whole service, with the fifty tools published. */
const publishing = async (targetUrl: string): Promise<Service & AsyncDisposable> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const service = await startService({
    port: 0,
    dataFolder,
    limits: '{"public_requests_per_minute_per_ip": 1000000}',
    show: () => undefined,
  });
  await service.invoke('management', {
    operator: 'publish',
    ownerId: 'bench',
    slug: 'fifty-tools',
    authMethod: 'none',
    openapi: description(targetUrl),
  });
  return {
    ...service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};
