import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FAILED_QUEUES, type FailedQueue } from '../../../layers/platform/rules/failed-work.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { aManagementService } from '../../support/service/management.ts';

const service = await aManagementService();
const { store } = service;
afterAll(() => service.stop());

const client = store.client(SQSClient);
const send = (queue: string, body: object, attributes: Readonly<Record<string, string>> = {}) =>
  client.send(
    new SendMessageCommand({
      QueueUrl: store.queueUrl(queue),
      MessageBody: JSON.stringify(body),
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [
          name,
          { DataType: 'String', StringValue },
        ]),
      ),
    }),
  );

/** What Lambda keeps of an event that a function failed at. */
const failed = (requestPayload: object, errorMessage = 'ses: MessageRejected') => ({
  version: '1.0',
  requestContext: { condition: 'RetriesExhausted' },
  requestPayload,
  responsePayload: { errorMessage },
});
const MAIL = { id: 'request-1', purpose: 'reset_password', email: 'ada@example.com' };
const NEWS = { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: {} };
const CALLS = { awslogs: { data: 'H4sI' } };

/** What functions were sent. */
const sent: { readonly name: string; readonly event: unknown }[] = [];
beforeEach(() => {
  sent.length = 0;
  // Messages have the time of the machine.
  service.clock.time = Math.floor(Date.now() / 1000) + 5;
  store.aws.onInvoke(async (name, payload) => {
    sent.push({ name, event: JSON.parse(payload) });
    return { payload: 'null' };
  });
});
afterEach(async () => {
  store.aws.faults.clear();
  // Far enough in the future for all of them to be swept.
  await store.aws.sweep(Math.floor(Date.now() / 1000) + 15 * DAY);
});

const redrive = async (queue?: FailedQueue) => {
  const answer = await service.maintain({ operator: 'redrive', ...(queue && { queue }) });
  await store.aws.eventsSettled();
  return answer as { readonly queues: readonly object[]; readonly complete: boolean };
};
const left = async () =>
  Object.fromEntries(
    await Promise.all(
      [...FAILED_QUEUES, 'unstored-calls'].map(async (name) => [
        name,
        (await store.aws.queued(name)).length,
      ]),
    ),
  );
const NOTHING = {
  'unsent-mails': 0,
  'unstorable-calls': 0,
  'undelivered-commands': 0,
  'unstored-calls': 0,
};

describe('what waits in the queues of failed work', () => {
  test('is told queue by queue, alike things together, with why and since when, and stays', async () => {
    await send('unsent-mails', failed(MAIL));
    await send('unsent-mails', failed({ ...MAIL, email: 'bob@example.com' }));
    const event = { operator: 'sweep', claimedActor: 'events.amazonaws.com' };
    await send('undelivered-commands', event, { ERROR_MESSAGE: 'Rate exceeded' });

    const answer = await service.maintain({ operator: 'list-failed' });
    const since = expect.any(Number);
    expect(answer).toEqual({
      ok: true,
      queues: [
        {
          queue: 'unsent-mails',
          waiting: 2,
          samples: [
            { what: 'a mail (reset_password)', why: 'ses: MessageRejected', count: 2, since },
          ],
        },
        { queue: 'unstorable-calls', waiting: 0, samples: [] },
        {
          queue: 'undelivered-commands',
          waiting: 1,
          samples: [{ what: 'a command of a schedule', why: 'Rate exceeded', count: 1, since }],
        },
      ],
    });
    expect(JSON.stringify(answer)).not.toContain('@example.com');
    expect(await left()).toEqual({ ...NOTHING, 'unsent-mails': 2, 'undelivered-commands': 1 });
    expect(sent).toEqual([]);
  });
});

describe('a redrive', () => {
  test('gives mails and news of them to mails, and calls to the queue that stores them', async () => {
    await send('unsent-mails', failed(MAIL));
    await send('unsent-mails', failed(NEWS));
    await send('undelivered-commands', NEWS, { ERROR_CODE: 'THROTTLING' });
    await send('unstorable-calls', failed(CALLS, 'dynamodb: AccessDeniedException'));

    expect(await redrive()).toEqual({
      ok: true,
      complete: true,
      queues: [
        { queue: 'unsent-mails', moved: 2, dropped: 0, left: 0 },
        { queue: 'unstorable-calls', moved: 1, dropped: 0, left: 0 },
        { queue: 'undelivered-commands', moved: 1, dropped: 0, left: 0 },
      ],
    });
    expect(sent).toHaveLength(3);
    for (const event of [MAIL, NEWS]) expect(sent).toContainEqual({ name: 'mails', event });
    expect(await left()).toEqual({ ...NOTHING, 'unstored-calls': 1 });
    expect(await store.aws.queued('unstored-calls')).toEqual([
      failed(CALLS, 'dynamodb: AccessDeniedException'),
    ]);
  });

  test('of one queue leaves the others alone', async () => {
    await send('unsent-mails', failed(MAIL));
    await send('undelivered-commands', NEWS);
    await redrive('undelivered-commands');

    expect(await left()).toEqual({ ...NOTHING, 'unsent-mails': 1 });
  });

  test.each([
    ['a mail that was asked for more than a day ago', 'unsent-mails', failed(MAIL), DAY + 10],
    ['a command of a schedule', 'undelivered-commands', { operator: 'sweep' }, 0],
    ['a walk of the canary', 'undelivered-commands', { slug: 's', tool: 't' }, 0],
  ])('drops %s', async (_, queue, body, later) => {
    await send(queue, body);
    service.clock.time += later;

    expect((await redrive()).queues).toContainEqual({ queue, moved: 0, dropped: 1, left: 0 });
    expect(sent).toEqual([]);
    expect(await left()).toEqual(NOTHING);
  });

  test.each([
    ['unsent-mails', failed({ what: 'else' })],
    ['undelivered-commands', { what: 'else' }],
    ['undelivered-commands', { source: 'aws.kms', 'detail-type': 'AWS API Call via CloudTrail' }],
    ['unstorable-calls', failed({ what: 'else' })],
    ['unstorable-calls', { awslogs: {} }],
  ])('leaves what no function could be given in %s for a person', async (queue, body) => {
    await send(queue, body);

    expect((await redrive()).queues).toContainEqual({ queue, moved: 0, dropped: 0, left: 1 });
    expect(await left()).toEqual({ ...NOTHING, [queue]: 1 });
  });

  test('handles more than one batch, each message once', async () => {
    for (let index = 0; index < 23; index += 1) {
      await send('unsent-mails', failed({ ...MAIL, id: `request-${index}` }));
    }

    expect((await redrive('unsent-mails')).queues).toEqual([
      { queue: 'unsent-mails', moved: 23, dropped: 0, left: 0 },
    ]);
    expect(new Set(sent.map(({ event }) => (event as { id: string }).id)).size).toBe(23);
  });

  test('leaves what came after it began for the next one, so that it ends', async () => {
    await send('unsent-mails', failed(MAIL));
    service.clock.time -= DAY;

    expect((await redrive('unsent-mails')).queues).toEqual([
      { queue: 'unsent-mails', moved: 0, dropped: 0, left: 0 },
    ]);
    expect(await left()).toMatchObject({ 'unsent-mails': 1 });
  });

  test('loses nothing where it breaks off between giving and removing', async () => {
    await send('unsent-mails', failed(MAIL));
    store.aws.faults.inject({ on: { operation: 'DeleteMessage' }, kind: 'fail' });
    await expect(redrive('unsent-mails')).rejects.toThrow('sqs');
    await store.aws.eventsSettled();

    expect(sent).toEqual([{ name: 'mails', event: MAIL }]);
    expect(await left()).toMatchObject({ 'unsent-mails': 1 });
  });

  test('says that it is not complete where its time is over', async () => {
    await send('unsent-mails', failed(MAIL));
    const context = { getRemainingTimeInMillis: () => 20_000 };

    expect(await service.maintain({ operator: 'redrive' }, context)).toMatchObject({
      complete: false,
    });
  });
});
