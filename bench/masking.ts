/**
 * Processor time that the router's thread takes for a call of a tool, event in and result out, with a
 * credential to mask in the answer and without one, at three lengths of an ordinary answer: JSON as APIs
 * write it, with escapes of texts and addresses in it, and nothing secret.
 *
 *   none            no credential is set
 *   none, again     the same in another thread: what the difference of two threads comes to
 *   bearer, basic   a token of 32 random bytes in base64url; a user name with a password
 *
 * Rounds of them take turns; what counts is the least round, to which other work of the machine adds least.
 *
 * Goal: masking takes at most 5 % of the time of a call.
 */
import { randomBytes } from 'node:crypto';
import { provisionOwner } from '../local/run/owner.ts';
import type { Service } from '../local/run/service.ts';
import { rpc } from './fifty-tools.ts';
import { startMeasuredThread } from './measured-thread.ts';
import { publishing } from './publishing.ts';
import { ms, printTable, type Row } from './table.ts';
import { startTarget } from './target.ts';

const ROUNDS = 9;
/** Bytes of an answer, and calls of a round. */
const SIZES = [
  ['4 KB', 4096, 100],
  ['400 KB', 409_600, 20],
  ['4 MB', 4_000_000, 3],
] as const;

const CREDENTIALS = {
  bearer: { type: 'bearer', token: randomBytes(32).toString('base64url') },
  basic: { type: 'basic', username: 'reports', password: 'kestrel-umbrella-fog-19' },
} as const;

const description = (targetUrl: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Rows', version: '1' },
    servers: [{ url: targetUrl }],
    paths: Object.fromEntries(
      SIZES.map(([, bytes]) => [
        `/rows/${bytes}`,
        {
          get: { operationId: `rows${bytes}`, responses: { 200: { description: 'The rows.' } } },
        },
      ]),
    ),
  });

type Send = (method: 'POST' | 'PUT', path: string, body: object) => Promise<Record<string, string>>;

const PERSON = { email: 'bench@example.com', password: 'kestrel umbrella fog' };

/** The management API as somebody with an account calls it. */
const signedIn = async (service: Service): Promise<Send> => {
  await provisionOwner(service, PERSON);
  let headers = {};
  const send: Send = async (method, path, body) => {
    const request = {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, request);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const { access_token: token } = await send('POST', '/sessions', PERSON);
  headers = { authorization: `Bearer ${token}` };
  return send;
};

/** A deployment for everybody whose answers are not cut. @returns the path of its endpoint */
const deployed = async (
  send: Send,
  slug: string,
  targetUrl: string,
  credential?: (typeof CREDENTIALS)[keyof typeof CREDENTIALS],
): Promise<string> => {
  await send('POST', '/deployments', {
    slug,
    mcp_auth_method: 'none',
    answer_token_budget: null,
    openapi: description(targetUrl),
  });
  if (credential) await send('PUT', `/deployments/${slug}/credential`, credential);
  return `/v1/mcp-router/${slug}/messages`;
};

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await publishing(target.url);
  const { environment, options } = await service.startArguments('router');
  const router = (path: string) =>
    startMeasuredThread({ kind: 'router', path, environment, options: options as object });
  const send = await signedIn(service);
  const none = await deployed(send, 'rows', target.url);
  await using first = await router(none);
  await using second = await router(none);
  await using bearer = await router(
    await deployed(send, 'rows-bearer', target.url, CREDENTIALS.bearer),
  );
  await using basic = await router(
    await deployed(send, 'rows-basic', target.url, CREDENTIALS.basic),
  );
  const threads = { none: first, 'none, again': second, bearer, basic };

  const rows: Row[] = [];
  for (const [title, bytes, count] of SIZES) {
    const body = rpc('tools/call', { name: `rows${bytes}`, arguments: {} });
    const took = Object.entries(threads).map(([name, thread]) => ({
      name,
      thread,
      least: Number.POSITIVE_INFINITY,
    }));
    for (const { thread } of took) {
      const answer = await thread.serve(body, 3 * count);
      if (!answer.includes('row 1')) throw new Error(`no answer: ${answer.slice(0, 300)}`);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of round % 2 === 0 ? took : took.toReversed()) {
        const before = await one.thread.cpuMs();
        await one.thread.serve(body, count);
        one.least = Math.min(one.least, ((await one.thread.cpuMs()) - before) / count);
      }
    }
    const alone = took[0]?.least ?? Number.NaN;
    for (const { name, least } of took) {
      const more = name === 'none' ? '' : `${((100 * (least - alone)) / alone).toFixed(1)} %`;
      rows.push([`${title}, ${name}`, ms(least), more]);
    }
  }
  printTable('Processor time of a call with a secret to mask', ['least', 'more'], rows, [
    'goal: at most 5 % more than without a credential; the second line says how far two threads differ',
  ]);
};
