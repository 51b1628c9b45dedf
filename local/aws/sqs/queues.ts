import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, removeFile, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

/** Attributes of a message; they can only be texts. */
type MessageAttributes = Readonly<Record<string, string>>;

export interface ReceivedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** How often it was received, this time included. */
  readonly receives: number;
  readonly receiptHandle: string;
}

interface Receiving {
  readonly most: number;
  /** For this long nobody else receives the messages. */
  readonly hiddenMs: number;
  /** Long polling looks at the whole queue, short polling only at some of its servers. */
  readonly isLong: boolean;
}

/** Queues on disk: a folder for each queue, a file for each message. */
export interface Queues {
  /** @param body - any text, mostly JSON */
  send(queue: string, body: string, attributes?: MessageAttributes): Promise<string>;
  /** Oldest first, without those that somebody else has received a moment ago. */
  receive(queue: string, how: Receiving): Promise<readonly ReceivedMessage[]>;
  /** Succeeds also if the message is gone. @returns false if the handle is no receipt */
  remove(queue: string, receiptHandle: string): Promise<boolean>;
  count(queue: string): Promise<{ readonly visible: number; readonly hidden: number }>;
  list(queue: string): Promise<readonly unknown[]>;
  /**
   * Makes messages come as AWS may bring them: in any order, while somebody else has them, and once more after they
   * were deleted.
   * Source: Amazon SQS Developer Guide, "Amazon SQS at-least-once delivery".
   */
  bringTwice(isOn: boolean): void;
  /** Removes messages after a fortnight. @param now - epoch seconds @returns how many */
  sweep(now: number): Promise<number>;
}

/** SQS stores a message for no longer. */
const RETENTION_MS = 14 * 86_400_000;

/** Hidden messages and receive counts are in memory: both end with the process. */
export const openQueues = async (folder: string): Promise<Queues> => {
  // Files that a kill left half written are deleted now, before anybody writes.
  for (const queue of await openFolder(folder)) await openFolder(join(folder, queue));
  const received = new Map<string, { hiddenUntil: number; receives: number }>();
  let isTwice = false;
  const isFirst = (name: string) => isTwice && (received.get(name)?.receives ?? 0) <= 1;
  const isHidden = (name: string) =>
    (received.get(name)?.hiddenUntil ?? 0) > Date.now() && !isFirst(name);

  const namesIn = async (queue: string): Promise<readonly string[]> => {
    await mkdir(join(folder, queue), { recursive: true, mode: 0o700 });
    return (await readdir(join(folder, queue))).filter((name) => name.endsWith('.json')).sort();
  };
  const read = async (queue: string, name: string) => {
    const path = join(folder, queue, name);
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { ...(parsedJson(text) as Pick<ReceivedMessage, 'body' | 'attributes'>), mtimeMs };
  };
  const remove = (queue: string, name: string): Promise<void> => {
    received.delete(name);
    return removeFile(join(folder, queue, name));
  };
  // Tasks run one at a time, so that none reads a file that another one just removes.
  const serially = openSerial();
  const inTurn = <Result>(task: () => Promise<Result>) => serially('queues', task);

  return {
    send: async (queue, body, attributes = {}) => {
      await namesIn(queue);
      const id = randomUUID();
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${id}.json`;
      await replaceFile(join(folder, queue, name), `${JSON.stringify({ body, attributes })}\n`);
      return id;
    },
    receive: (queue, { most, hiddenMs, isLong }) =>
      inTurn(async () => {
        const names = (await namesIn(queue)).filter((name) => !isHidden(name));
        if (isTwice) names.reverse();
        const asked = isLong ? names : names.filter((_, index) => index % 2 === 1);
        return Promise.all(
          asked.slice(0, most).map(async (name) => {
            const { body, attributes, mtimeMs } = await read(queue, name);
            const receives = (received.get(name)?.receives ?? 0) + 1;
            received.set(name, { hiddenUntil: Date.now() + hiddenMs, receives });
            return {
              id: name.slice(-41, -5),
              body,
              attributes,
              sentAt: Math.floor(mtimeMs),
              receives,
              receiptHandle: `${name}#${receives}`,
            };
          }),
        );
      }),
    remove: (queue, receiptHandle) =>
      inTurn(async () => {
        const [, name = ''] = /^([\w-]+\.json)#\d+$/.exec(receiptHandle) ?? [];
        if (isFirst(name)) return true;
        if ((await namesIn(queue)).includes(name)) await remove(queue, name);
        return name !== '';
      }),
    count: async (queue) => {
      const names = await namesIn(queue);
      const hidden = names.filter(isHidden).length;
      return { visible: names.length - hidden, hidden };
    },
    list: (queue) =>
      inTurn(async () => {
        const names = await namesIn(queue);
        const messages = await Promise.all(names.map((name) => read(queue, name)));
        return messages.map(({ body }): unknown => parsedJson(body));
      }),
    bringTwice: (isOn) => {
      isTwice = isOn;
    },
    sweep: (now) =>
      inTurn(async () => {
        let removed = 0;
        for (const queue of await readdir(folder)) {
          for (const name of await namesIn(queue)) {
            const { mtimeMs } = await stat(join(folder, queue, name));
            if (mtimeMs + RETENTION_MS > now * 1000) continue;
            await remove(queue, name);
            removed += 1;
          }
        }
        return removed;
      }),
  };
};
