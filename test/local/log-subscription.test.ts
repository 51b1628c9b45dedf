import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LogFile, openLogFile } from '../../local/functions/log-file.ts';
import {
  type LogSubscription,
  openLogSubscription,
} from '../../local/functions/log-subscription.ts';

let folder: string;
let log: LogFile;
let subscription: LogSubscription;
/** The lines of each event, by their numbers. */
let events: number[][];
let refusals = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-lines-'));
  log = openLogFile({ folder, name: 'router', retentionDays: 1 });
  events = [];
  subscription = open();
});
afterEach(async () => {
  await subscription.close();
  log.close();
  await rm(folder, { recursive: true });
});

const open = () =>
  openLogSubscription({
    folder,
    from: 'router',
    messages: ['call'],
    positionFile: join(folder, 'sent.json'),
    send: async (event) => {
      if (refusals-- > 0) throw new Error('not taken');
      events.push(numbersIn(event as Event));
    },
  });

interface Event {
  readonly awslogs: { readonly data: string };
}

const numbersIn = ({ awslogs }: Event): number[] => {
  const { logEvents } = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  return logEvents.map(({ message }: { message: string }) => JSON.parse(message).number);
};

const write = (from: number, to: number, message = 'call') => {
  for (let number = from; number < to; number += 1)
    log.write(Buffer.from(`${JSON.stringify({ message, number })}\n`));
  subscription.notice();
};

const sent = async (count: number): Promise<void> => {
  while (events.flat().length < count) await setTimeout(10);
};

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe('lines of a log', () => {
  test('are sent in their order, each once, and no others', async () => {
    write(0, 3);
    write(100, 200, 'something else');
    await sent(3);
    write(3, 5);
    await sent(5);

    expect(events.flat()).toEqual(upTo(5));
  });

  test('come together where many come, once a second, and the last of them without another', async () => {
    write(0, 200);
    await sent(200);
    const [before, began] = [events.length, performance.now()];
    for (let number = 200; number < 2000; number += 60) {
      write(number, number + 60);
      await setTimeout(20);
    }
    await sent(2000);
    const seconds = (performance.now() - began) / 1000;

    expect(events.flat()).toEqual(upTo(2000));
    expect(events.length - before).toBeLessThanOrEqual(seconds + 1);
  });

  test('come again where they were not taken', async () => {
    refusals = 1;
    write(0, 2);
    await sent(2);

    expect(events.flat()).toEqual(upTo(2));
  });

  test('are all sent at the end, and not again by the next', async () => {
    write(0, 20_000);
    await subscription.close();
    expect(events.flat()).toEqual(upTo(20_000));

    subscription = open();
    write(20_000, 20_001);
    await sent(20_001);
    expect(events.flat()).toHaveLength(20_001);
  });
});
