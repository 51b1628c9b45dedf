/**
 * Requests by the hundred thousand while neighbours fail by turns:
 *
 *   npm run soak                        a million, half an hour on two quiet cores
 *   npm run soak -- --requests 100000   fewer
 *
 * Each answer is held against its request: a right one, or a refusal that is meant to be. At the end the service may
 * occupy a tenth more memory than after the first tenth of the requests. The exit code is 1 where either does not hold.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';

export interface SoakFault {
  readonly kind: 'throttle' | 'fail' | 'drop' | 'lose' | 'delay' | 'target';
  readonly percent: number;
}

const CLIENTS = 32;
const TURNS: readonly (SoakFault | 'off')[] = [
  'off',
  { kind: 'throttle', percent: 20 },
  { kind: 'fail', percent: 20 },
  'off',
  { kind: 'drop', percent: 10 },
  { kind: 'lose', percent: 10 },
  'off',
  { kind: 'delay', percent: 20 },
  { kind: 'target', percent: 20 },
];
/** Of all requests, in which memory is looked at, after the first tenth and at the end. */
const LOOKS = { first: [0.1, 0.2], last: [0.9, 1] } as const;
const MOST_GROWTH = 1.1;

const { values } = parseArgs({ options: { requests: { type: 'string', default: '1000000' } } });
const requests = Number(values.requests);
/** Each kind of trouble comes thirty times. */
const perTurn = Math.max(100, Math.floor(requests / (30 * TURNS.length)));

const child = fork(new URL('soak-service.ts', import.meta.url), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const [address] = (await once(child, 'message')) as [string];
const pid = child.pid ?? 0;
const agent = new Agent({ keepAlive: true });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}
const post = (body: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const outgoing = request(address, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          text,
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const counts = { right: 0, refused: 0, wrong: 0 };
const wrong: string[] = [];

/** What a request asks for, and whether an answer with a result is the one to it. */
const asked = (
  id: number,
): readonly [method: string, params: object, is: (text: string) => boolean] => {
  if (id % 50 === 0) return ['tools/list', {}, (text) => text.includes('getItem49')];
  if (id % 5 === 0) return ['ping', {}, (text) => text.includes('"result":{}')];
  const [tool, tag] = [id % 50, `t-${id}`];
  return [
    'tools/call',
    { name: `getItem${tool}`, arguments: { id, tag } },
    (text) =>
      text.includes(`/items${tool}/${id}\\"`) &&
      text.includes(`\\"${tag}\\"`) &&
      !text.includes('"isError":true'),
  ];
};

/** What a failing neighbour may be answered with: 503 with a wait, or a result or error that says so. */
const isMeant = ({ status, retryAfter, text }: Answer, id: number): boolean => {
  if (status === 503) return retryAfter !== undefined && text.includes('unavailable');
  const isOfThis = text.includes(`"id":${id},`) || text.includes(`"id":${id}}`);
  return status === 200 && isOfThis && /"reason":"\w+"|"isError":true/.test(text);
};

const ask = async (id: number): Promise<void> => {
  const [method, params, is] = asked(id);
  const answer = await post({ jsonrpc: '2.0', id, method, params });
  const isOfThis = answer.text.includes(`"id":${id},`) || answer.text.includes(`"id":${id}}`);
  if (answer.status === 200 && isOfThis && is(answer.text)) counts.right += 1;
  else if (current !== 'off' && isMeant(answer, id)) counts.refused += 1;
  // What was under way as the trouble ended may still tell of it.
  else if (performance.now() - offSince < 15_000 && isMeant(answer, id)) counts.refused += 1;
  else {
    counts.wrong += 1;
    if (wrong.length < 10)
      wrong.push(`${id} ${method}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
};

const megabytes = (): number => {
  const [, kilobytes = '0'] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};
const samples: { readonly part: number; readonly mb: number }[] = [];
const median = ([from, until]: readonly [number, number]): number => {
  const seen = samples.filter(({ part }) => part >= from && part <= until).map(({ mb }) => mb);
  return seen.toSorted((a, b) => a - b)[Math.floor(seen.length / 2)] ?? Number.NaN;
};

let current: SoakFault | 'off' = 'off';
let offSince = -Infinity;
const turnTo = (turn: SoakFault | 'off'): void => {
  if (turn === 'off' && current !== 'off') offSince = performance.now();
  current = turn;
  child.send(turn);
};

const began = performance.now();
let next = 1;
const client = async (): Promise<void> => {
  for (let id = next++; id <= requests; id = next++) {
    if (id % perTurn === 0) turnTo(TURNS[(id / perTurn) % TURNS.length] ?? 'off');
    if (id % Math.ceil(requests / 200) === 0) {
      samples.push({ part: id / requests, mb: megabytes() });
      if (samples.length % 20 === 0)
        say(`${id} requests: ${JSON.stringify(counts)}, ${megabytes().toFixed(0)} MB`);
    }
    await ask(id).catch((error: unknown) => {
      counts.wrong += 1;
      if (wrong.length < 10) wrong.push(`${id}: ${String(error)}`);
    });
  }
};
await Promise.all(Array.from({ length: CLIENTS }, client));

const seconds = (performance.now() - began) / 1000;
const [first, last] = [median(LOOKS.first), median(LOOKS.last)];
const growth = last / first;
say(`${requests} requests in ${seconds.toFixed(0)} s: ${JSON.stringify(counts)}`);
say(
  `memory ${first.toFixed(0)} MB after the first tenth, ${last.toFixed(0)} MB at the end (${growth.toFixed(2)})`,
);
for (const one of wrong) say(`wrong: ${one}`);
agent.destroy();
child.disconnect();
await once(child, 'exit');
process.exitCode = counts.wrong > 0 || !(growth <= MOST_GROWTH) ? 1 : 0;
