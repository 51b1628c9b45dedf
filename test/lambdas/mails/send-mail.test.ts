import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { server } from '../../../lambdas/mails/server.ts';
import { wireMails } from '../../../layers/core/wiring/mails.ts';
import { HOUR } from '../../../layers/core/domain/time.ts';
import { aClock, NOON, startStore, type Store } from '../../adapters/dynamodb/fixtures.ts';
import { mailsAt } from '../../support/people.ts';
import { environmentOf } from '../../wiring/environments.ts';

/** 2026-11-20T00:00:00Z */
const MIDNIGHT = NOON - 12 * HOUR;

let store: Store;
let send: ReturnType<typeof server>;
const clock = aClock();
const lines: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  store = await startStore();
  const log = { write: (line: Readonly<Record<string, unknown>>) => void lines.push(line) };
  send = server({ ...wireMails(environmentOf(store, 'mails')), clock, log });
});
afterAll(() => store.stop());

const anEmail = (): string => `${randomUUID()}@example.com`;
const signUp = (email: string, id = randomUUID()) => send({ id, purpose: 'sign_up', email });
const countTo = async (email: string) =>
  (await mailsAt(store)).filter(({ to }) => to === email).length;

describe('mails to one recipient', () => {
  test('are five in an hour and go on with the next one', async () => {
    const email = anEmail();
    clock.time = MIDNIGHT;
    for (let count = 0; count < 5; count += 1) await signUp(email);
    clock.time = MIDNIGHT + HOUR - 1;
    await signUp(email);
    expect(await countTo(email)).toBe(5);

    clock.time = MIDNIGHT + HOUR;
    await signUp(email);
    expect(await countTo(email)).toBe(6);
  });

  test('are twenty in a day and go on with the next one', async () => {
    const email = anEmail();
    for (let hour = 0; hour < 24; hour += 1) {
      clock.time = MIDNIGHT + hour * HOUR;
      for (let count = 0; count < 5; count += 1) await signUp(email);
    }
    expect(await countTo(email)).toBe(20);

    clock.time = MIDNIGHT + 24 * HOUR;
    await signUp(email);
    expect(await countTo(email)).toBe(21);
  });

  test('are counted once when the same request comes again', async () => {
    const [email, id] = [anEmail(), randomUUID()];
    for (let count = 0; count < 6; count += 1) await signUp(email, id);
    for (let count = 0; count < 5; count += 1) await signUp(email);

    expect(await countTo(email)).toBe(6 + 4);
  });

  test('are told of in the log without the address', async () => {
    const email = anEmail();
    lines.splice(0);
    await send({ id: 'a', purpose: 'reset_password', email });
    for (let count = 0; count < 6; count += 1) await signUp(email);

    expect(lines.map(({ outcome }) => outcome)).toEqual([
      'no_account',
      ...Array.from({ length: 5 }, () => 'sent'),
      'too_many',
    ]);
    expect(JSON.stringify(lines)).not.toContain(email);
  });
});

describe('an event that is no request for a mail', () => {
  test.each([
    ['nothing', null, 'the event'],
    ['a request over HTTP', { routeKey: '$default' }, 'id'],
    ['another purpose', { id: 'a', purpose: 'advertisement', email: 'a@example.com' }, 'purpose'],
    ['two addresses', { id: 'a', purpose: 'sign_up', email: 'a@b.example, c@d.example' }, 'email'],
    [
      'a text of its own',
      { id: 'a', purpose: 'sign_up', email: 'a@example.com', text: 'x' },
      'the event',
    ],
  ])('is refused: %s', async (_, event, where) => {
    const before = (await mailsAt(store)).length;

    await expect(send(event)).rejects.toThrow(`not a request for a mail: ${where}`);
    expect(await mailsAt(store)).toHaveLength(before);
  });
});
