/**
 * Processor time that the router's thread takes for a tool call and for a list of fifty tools, beside
 * that of a bare server of the official SDK with the same fifty tools (as its documentation has it: a
 * factory, and a server for each request), which calls the same target; each in 2025-03-26 and in
 * 2026-07-28:
 *
 *   router                our function, event in and result out, as Lambda calls it; it reads the
 *                         deployment, counts the request in DynamoDB, checks the arguments, builds the
 *                         request, guards the address, logs
 *   bare SDK              the SDK, event in and result out: the twin
 *   SDK that counts       the same, with each request counted in DynamoDB by the router's own store: one
 *                         trip that the router cannot leave out
 *
 * Rounds of them take turns; what counts is the least round, to which other work of the machine adds least.
 *
 * Goals: a call takes at most one and a half times the time of the bare SDK, a list less than its time.
 */
import { CALL, modernRpc, rpc } from './fifty-tools.ts';
import { startMeasuredThread } from './measured-thread.ts';
import { publishing } from './publishing.ts';
import { median, ms, printTable, type Row, times } from './table.ts';
import { startTarget } from './target.ts';

const MODERN = '2026-07-28';
const WARM_UP = 500;
const ROUNDS = 7;
const CALLS_PER_ROUND = 100;

const METHODS = [
  ['tools/call', ['2025-03-26', rpc('tools/call', CALL)], [MODERN, modernRpc('tools/call', CALL)]],
  ['tools/list', ['2025-03-26', rpc('tools/list')], [MODERN, modernRpc('tools/list')]],
] as const;

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await publishing(target.url);
  const { environment, options } = await service.startArguments('router');
  const path = '/v1/mcp-router/fifty-tools/messages';
  await using router = await startMeasuredThread({
    kind: 'router',
    path,
    environment,
    options: options as object,
  });
  await using twin = await startMeasuredThread({ kind: 'sdk-function', targetUrl: target.url });
  await using counted = await startMeasuredThread({
    kind: 'sdk-function',
    targetUrl: target.url,
    environment,
  });
  const subjects = [
    ['router', router],
    ['bare SDK', twin],
    ['SDK that counts', counted],
  ] as const;

  const rows: Row[] = [];
  for (const [method, ...bodies] of METHODS) {
    const measured = bodies.flatMap(([version, body]) =>
      subjects.map(([name, thread]) => ({ version, body, name, thread, took: [0] })),
    );
    for (const { body, thread, took } of measured) {
      checkAnswer(method, await thread.serve(body, WARM_UP));
      took.pop();
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { body, thread, took } of measured) {
        const before = await thread.cpuMs();
        await thread.serve(body, CALLS_PER_ROUND);
        took.push(((await thread.cpuMs()) - before) / CALLS_PER_ROUND);
      }
    }
    for (const { version, name, took } of measured) {
      const own = measured.find((one) => one.version === version && one.name === 'router');
      const ratio = least(own?.took ?? []) / least(took);
      const title = `${method}, ${version}, ${name}`;
      const figures = [ms(least(took)), ms(median(took))];
      rows.push([title, ...figures, name === 'router' ? '' : times(ratio)]);
    }
  }
  printTable('Processor time per request', ['least', 'median', 'router / this'], rows, [
    'goal: at most 1.50 x for tools/call, below 1.00 x for tools/list, beside the bare SDK; one trip to',
    'DynamoDB by the SDK of AWS takes half as much as the bare SDK, or more: see the one that counts',
  ]);
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
const least = (values: readonly number[]): number => Math.min(...values);

/** A benchmark of errors would be fast. */
const checkAnswer = (method: string, answer: string): void => {
  const expected = method === 'tools/call' ? 'an item' : 'getItem49';
  if (!answer.includes(expected)) throw new Error(`${method} was not answered: ${answer}`);
};
