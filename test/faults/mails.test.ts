import { randomUUID } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { server } from '../../layers/accounts/mails/server.ts';
import { readMailToken } from '../../layers/accounts/rules/mail-token.ts';
import { dynamoMailTokens } from '../../layers/accounts/store/mail-tokens.ts';
import { DAY, HOUR, MINUTE } from '../../layers/platform/rules/time.ts';
import { wireMails } from '../../lambdas/mails/wiring.ts';
import type { FaultKind } from '../../local/aws/faults.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';
import { usersOf } from '../support/aws/dynamodb-fixtures.ts';
import { aUser } from '../support/oauth/oauth-fixtures.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { aManagementService } from '../support/service/management.ts';

const service = await aManagementService({ eventRetryMs: [150, 300] });
const { store, clock } = service;
const lines: Readonly<Record<string, unknown>>[] = [];
const log = { write: (line: Readonly<Record<string, unknown>>) => void lines.push(line) };
const wired = wireMails(environmentOf(store, 'mails'));
const send = server({ ...wired, clock, log });
let isCrowded = false;
/** From now on each event comes twice, and queues give messages so. */
const bringTwice = (): void => {
  store.aws.bringTwice(true);
  isCrowded = true;
};
store.aws.onInvoke(async (_name, payload) =>
  send(JSON.parse(payload)).then(
    () => ({ payload: 'null' }),
    () => {
      // As long as Lambda lets pass before it brings the event again, where there is no other.
      if (!isCrowded) clock.time += MINUTE;
      return { payload: '{"errorMessage":"failed"}', functionError: 'Unhandled' };
    },
  ),
);
store.aws.configureEvents('mails', { retries: 2, failed: 'unsent-mails' });
beforeEach(() => {
  // Messages have the time of the machine.
  clock.time = Math.floor(Date.now() / 1000) + 5;
});
afterEach(async () => {
  store.aws.faults.clear();
  store.aws.bringTwice(false);
  isCrowded = false;
  lines.splice(0);
  await store.aws.sweep(Math.floor(Date.now() / 1000) + 15 * DAY);
});
afterAll(() => service.stop());

const anEvent = (purpose: 'sign_up' | 'reset_password' = 'sign_up') => ({
  id: randomUUID(),
  purpose,
  email: `${randomUUID()}@example.com`,
});
const lambda = store.client(LambdaClient);
/** Resolves when all is done, retries included. */
const bring = async (...events: readonly object[]): Promise<void> => {
  for (const event of events) {
    const Payload = JSON.stringify(event);
    const sent = { FunctionName: 'mails:live', InvocationType: 'Event', Payload } as const;
    await lambda.send(new InvokeCommand(sent));
  }
  await store.aws.eventsSettled();
};
const mailsTo = async ({ email }: { readonly email: string }) =>
  (await mailsAt(store)).filter(({ to }) => to === email);
const unsent = () => store.aws.queued('unsent-mails');
const tokens = dynamoMailTokens(store.instance(), store.tableName('users'), wired.random);
/** Whether somebody who opens it finds what it stands for. */
const isGood = async (link: string): Promise<boolean> => {
  const read = readMailToken(new URL(link).searchParams.get('token') ?? '');
  return read !== undefined && (await tokens.find({ purpose: 'sign_up', ...read })) !== undefined;
};

describe('an event that asks for a mail', () => {
  test('sends one, however often it is brought, at once and later, and its link goes on working', async () => {
    const event = anEvent('reset_password');
    await usersOf(store).create(aUser({ id: randomUUID(), email: event.email }));
    bringTwice();
    await bring(event);
    store.aws.calls.reset();
    clock.time += HOUR;
    await bring(event, event);

    expect(await mailsTo(event)).toHaveLength(1);
    // No later letter has ended the link of the one that was sent.
    expect(store.aws.calls.count({ caller: 'mails', operation: 'PutItem' })).toBe(0);
    expect(await unsent()).toEqual([]);
  });

  test('is brought with others in any order, and each sends its own', async () => {
    const events = Array.from({ length: 12 }, () => anEvent());
    bringTwice();
    await bring(...events);

    const sent = await Promise.all(events.map(mailsTo));
    expect(sent.map(({ length }) => length)).toEqual(events.map(() => 1));
  });

  test('waits while another one brings the same, and sends it where that is killed', async () => {
    const event = anEvent();
    await wired.sentMails.begin(event.id, clock.time);
    await expect(send(event)).rejects.toThrow('the same mail is being sent');
    expect(await mailsTo(event)).toEqual([]);

    await bring(event);
    expect(await mailsTo(event)).toHaveLength(1);
    expect(await unsent()).toEqual([]);
  });

  test('is given again by an operator, twice as queues may, and sends one mail', async () => {
    const event = anEvent();
    store.aws.faults.inject({ kind: 'throttle', on: { service: 'ses' } });
    await bring(event);
    expect(await mailsTo(event)).toEqual([]);
    store.aws.faults.clear();

    bringTwice();
    await service.maintain({ operator: 'redrive' });
    await service.maintain({ operator: 'redrive' });
    await store.aws.eventsSettled();
    expect(await mailsTo(event)).toHaveLength(1);
    expect(await unsent()).toEqual([]);
  });
});

describe('a mail', () => {
  const FAILS: readonly [string, FaultKind, number][] = [
    ['throttles', { kind: 'throttle' }, 1],
    ['fails', { kind: 'fail' }, 1],
    ['closes connections', { kind: 'drop' }, 1],
    // It has no key of repetition: what it has sent without a word is sent again.
    ['says nothing of what it has sent', { kind: 'lose' }, 2],
  ];

  test.each(FAILS)('is not lost where SES %s once', async (_, fault, mails) => {
    const event = anEvent();
    store.aws.faults.inject({ ...fault, on: { service: 'ses' }, times: 1 });
    await bring(event);

    expect(await mailsTo(event)).toHaveLength(mails);
    expect(await unsent()).toEqual([]);
  });

  test.each(FAILS.slice(0, 3))(
    'is kept where SES %s for good, and is sent once it is given again',
    async (_, fault) => {
      const event = anEvent();
      store.aws.faults.inject({ ...fault, on: { service: 'ses' } });
      await bring(event);
      expect(await unsent()).toHaveLength(1);

      store.aws.faults.clear();
      await service.maintain({ operator: 'redrive' });
      await store.aws.eventsSettled();
      expect(await mailsTo(event)).toHaveLength(1);
    },
  );

  test('has a link that works, also where it is the second of one event', async () => {
    const event = anEvent();
    store.aws.faults.inject({ kind: 'lose', on: { service: 'ses' }, times: 2 });
    await bring(event);

    const found = await Promise.all((await mailsTo(event)).map(({ link }) => isGood(link)));
    expect(found).toEqual([false, false, true]);
  });

  test.each(['fail', 'lose', 'throttle'] as const)(
    'is sent once where the table begins to %s after SES has taken it',
    async (kind) => {
      const event = anEvent();
      let isSent = false;
      store.aws.faults.inject({
        kind,
        on: ({ service: called, caller }) => {
          if (called === 'ses') isSent = true;
          return isSent && called === 'dynamodb' && caller === 'mails';
        },
      });
      await bring(event);

      expect(await mailsTo(event)).toHaveLength(1);
      expect(lines).toContainEqual(expect.objectContaining({ message: 'mail', outcome: 'sent' }));
      expect(lines).toContainEqual(
        expect.objectContaining({ message: 'not_done_afterwards', what: 'a mail noted as sent' }),
      );
    },
  );

  /** To DynamoDB, before it is sent. */
  const CALLS = 6;
  /** Of the SDK, for each. */
  const ATTEMPTS = 2;
  test.each(['fail', 'lose'] as const)(
    'comes where any one of its calls to the table fails, and their repetition: %s',
    async (kind) => {
      for (let nth = 1; nth <= CALLS; nth += 1) {
        const event = anEvent();
        let calls = 0;
        store.aws.faults.inject({
          kind,
          on: ({ service: called }) => {
            if (called !== 'dynamodb') return false;
            calls += 1;
            return calls >= nth && calls < nth + ATTEMPTS;
          },
        });
        await bring(event);
        store.aws.faults.clear();
        expect([nth, (await mailsTo(event)).length]).toEqual([nth, 1]);
      }
    },
  );
});
