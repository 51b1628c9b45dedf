import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { logFilesOf } from './log-file.ts';
import { replaceFile } from '../aws/disk.ts';
import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';

export interface SubscriptionSettings {
  readonly folder: string;
  readonly from: string;
  /** Lines with one of these as their `message` are sent. */
  readonly messages: readonly string[];
  /** File with the position up to which lines have been sent. */
  readonly positionFile: string;
  /** Sends an event. If it rejects, the event is sent again. */
  readonly send: (event: object) => Promise<unknown>;
}

export interface LogSubscription {
  /** Says that there may be new lines: they are sent within a second. */
  notice(): void;
  /** Sends what is left, in one attempt, and ends. */
  close(): Promise<void>;
}

interface Position {
  /** Name of a log file; empty before the first. */
  readonly file: string;
  readonly offset: number;
}

const SOON_MS = 200;
/** After many lines comes a pause, since a receiver may read all of the last half minute each time. */
const AFTER_MANY_MS = 1000;
const MANY_LINES = 50;
const AGAIN_MS = 1000;
const MOST_BYTES = 512 * 1024;

/**
 * Stands in for a subscription filter of CloudWatch Logs: sends a function's log lines to another function, each at
 * least once. The position is on disk, so that it goes on there after a crash.
 * Source: CloudWatch Logs User Guide, "Subscription filters with AWS Lambda".
 */
export const openLogSubscription = (settings: SubscriptionSettings): LogSubscription => {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let sentAtOnce = 0;

  const sendAll = async (): Promise<void> => {
    let count = 0;
    for (let more = true; more;) {
      const { lines, mayBeMore } = await sendNext(settings);
      count += lines;
      more = mayBeMore;
    }
    // Changed only at the end: lines that come meanwhile wait as long as these did.
    sentAtOnce = count;
  };
  const run = () => {
    timer = undefined;
    last = last.then(sendAll).catch(() => plan(AGAIN_MS));
  };
  const plan = (ms: number) => {
    if (!closed) timer ??= setTimeout(run, ms).unref();
  };
  plan(0);
  return {
    notice: () => plan(sentAtOnce > MANY_LINES ? AFTER_MANY_MS : SOON_MS),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await last.then(sendAll).catch(() => undefined);
    },
  };
};

/** @returns how many lines were sent, and whether there are more; `notice` tells of those that come meanwhile */
const sendNext = async (settings: SubscriptionSettings): Promise<Sent> => {
  const { folder, from, messages, positionFile, send } = settings;
  const position = await readPosition(positionFile);
  const files = logFilesOf(folder, from).filter((file) => file >= position.file);
  const [file, following] = files;
  if (file === undefined) return NOTHING;

  const offset = file === position.file ? position.offset : 0;
  const { bytes, isAll } = await linesAt(join(folder, file), offset);
  if (bytes.length === 0) {
    if (following === undefined) return NOTHING;
    await writePosition(positionFile, { file: following, offset: 0 });
    return { lines: 0, mayBeMore: true };
  }
  const lines = bytes
    .toString()
    .split('\n')
    .filter((line) => messages.includes(String(messageOf(line))));
  if (lines.length > 0) await send(eventOf(from, lines));
  await writePosition(positionFile, { file, offset: offset + bytes.length });
  return { lines: lines.length, mayBeMore: !isAll || following !== undefined };
};

interface Sent {
  readonly lines: number;
  readonly mayBeMore: boolean;
}

const NOTHING: Sent = { lines: 0, mayBeMore: false };

/** Reads whole lines, since the last one may be half written. @returns also whether that was everything */
const linesAt = async (
  path: string,
  offset: number,
): Promise<{ readonly bytes: Buffer; readonly isAll: boolean }> => {
  const file = await open(path);
  try {
    const left = (await file.stat()).size - offset;
    if (left <= 0) return { bytes: Buffer.alloc(0), isAll: true };
    for (let most = Math.min(left, MOST_BYTES); ; most *= 2) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, offset);
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      if (end > 0 || bytesRead < most) {
        return { bytes: buffer.subarray(0, end), isAll: most >= left };
      }
    }
  } finally {
    await file.close();
  }
};

const messageOf = (line: string): unknown =>
  (jsonOrUndefined(line) as { readonly message?: unknown } | null | undefined)?.message;

const eventOf = (from: string, lines: readonly string[]): object => {
  const data = {
    messageType: 'DATA_MESSAGE',
    owner: '000000000000',
    logGroup: `/aws/lambda/${from}`,
    logStream: 'local',
    subscriptionFilters: [from],
    logEvents: lines.map((message, index) => ({ id: String(index), timestamp: 0, message })),
  };
  return { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } };
};

const START: Position = { file: '', offset: 0 };

/** An unreadable position means the beginning: a receiver counts lines that come twice once. */
const readPosition = async (path: string): Promise<Position> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { file, offset } = (jsonOrUndefined(text) ?? START) as Position;
  return typeof file === 'string' && Number.isSafeInteger(offset) ? { file, offset } : START;
};

const writePosition = (path: string, position: Position): Promise<void> =>
  replaceFile(path, JSON.stringify(position));
