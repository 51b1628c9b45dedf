import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brought, type Loopback, openLoopback } from '../../../cli/sign-in/loopback.ts';

const STATE = 'the-state';
const TOLD = { heading: 'You are signed in', text: 'Go back to <your> terminal.' };
const A_WHILE = 10_000;

let loopback: Loopback;
let acts: Brought[];
let waiting: Promise<string | undefined>;
beforeEach(async () => {
  loopback = await openLoopback(STATE);
  acts = [];
});
afterEach(() => loopback.close());

/** Waits, and ends with what the browser brought. */
const wait = (atMostMs = A_WHILE, decided: Promise<void> = Promise.resolve()): void => {
  waiting = loopback.answered(async (brought) => {
    acts.push(brought);
    await decided;
    return { told: TOLD, found: 'found' };
  }, atMostMs);
};

const at = (path: string): string => `http://127.0.0.1:${loopback.port}${path}`;
const GOOD = `/callback?code=the-code&state=${STATE}`;

describe('the port where the command line waits for the browser', () => {
  test('is told the code, and says what became of it', async () => {
    wait();
    const page = await fetch(at(GOOD));
    const text = await page.text();

    expect(await waiting).toBe('found');
    expect(acts).toEqual([{ code: 'the-code' }]);
    expect(text).toContain('Go back to &#60;your&#62; terminal.');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('is told that somebody cancelled', async () => {
    wait();
    await fetch(at(`/callback?error=access_denied&state=${STATE}`));

    expect([await waiting, acts]).toEqual(['found', [{ refused: true }]]);
  });

  test.each([
    ['another state', `/callback?code=evil&state=other`],
    ['no state', '/callback?code=evil'],
    ['two states', `/callback?code=evil&state=${STATE}&state=${STATE}`],
    ['two codes', `/callback?code=evil&code=evil2&state=${STATE}`],
    ['no code', `/callback?state=${STATE}`],
    ['a code that is none', `/callback?code=%3Cb%3E&state=${STATE}`],
    ['another path', `/?code=evil&state=${STATE}`],
  ])('takes nothing of %s, and waits on', async (_, path) => {
    wait();
    const refused = await fetch(at(path));

    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).toContain('Nothing has happened');
    await fetch(at(GOOD));
    expect([await waiting, acts]).toEqual(['found', [{ code: 'the-code' }]]);
  });

  test('takes nothing that a page posts', async () => {
    wait();
    const posted = await fetch(at(GOOD), { method: 'POST', body: 'x' });
    await fetch(at(GOOD));

    expect([posted.status, await waiting, acts.length]).toEqual([405, 'found', 1]);
  });

  test('takes nothing by another name of this machine', async () => {
    wait();
    const status = await statusFor('rebound.evil.example');
    await fetch(at(GOOD));

    expect([status, await waiting, acts.length]).toEqual([421, 'found', 1]);
  });

  test('acts once for two clicks, and answers the second, whose first was broken off', async () => {
    const decided = Promise.withResolvers<void>();
    wait(A_WHILE, decided.promise);
    const broken = connect(loopback.port, '127.0.0.1');
    broken.write(`GET ${GOOD} HTTP/1.1\r\nhost: 127.0.0.1:${loopback.port}\r\n\r\n`);
    await until(() => acts.length === 1);
    broken.destroy();
    const second = fetch(at(`/callback?code=another-code&state=${STATE}`));
    setTimeout(decided.resolve, 50);

    expect(await (await second).text()).toContain('You are signed in');
    expect([await waiting, acts]).toEqual(['found', [{ code: 'the-code' }]]);
  });

  test('gives up in time where nobody comes', async () => {
    wait(20);

    expect(await waiting).toBeUndefined();
  });

  test('is on this machine alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    const reached = await Promise.all(others.map(({ address }) => isOpen(address)));

    expect(reached.filter(Boolean)).toEqual([]);
    expect(await isOpen('127.0.0.1')).toBe(true);
    expect(await isOpen('127.0.0.2')).toBe(false);
  });
});

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((later) => setTimeout(later, 5));
};

const isOpen = (host: string): Promise<boolean> =>
  new Promise((tried) => {
    const socket: Socket = connect(loopback.port, host);
    socket.once('connect', () => tried(true));
    socket.once('error', () => tried(false));
    socket.unref();
    setTimeout(() => tried(false), 1000).unref();
  });

/** As a browser asks that was led here by a name. */
const statusFor = (name: string): Promise<number> =>
  new Promise((told) => {
    const socket = connect(loopback.port, '127.0.0.1');
    socket.once('data', (head) => {
      told(Number(String(head).split(' ')[1]));
      socket.destroy();
    });
    socket.write(`GET ${GOOD} HTTP/1.1\r\nhost: ${name}:${loopback.port}\r\n\r\n`);
  });
