import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arnOf } from '../account.ts';
import { openFolder, removeFile, replaceFile } from '../disk.ts';
import type { Queues } from '../sqs/queues.ts';
import type { InvokeHandler, InvokeResult } from './invocation.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

export interface EventSettings {
  /** Attempts after the first one. Functions without settings have two. */
  readonly retries: number;
  /** Queue that gets a record of each event that failed for good. */
  readonly failed: string;
}

export interface EventsOptions {
  /** Stores events until they are done, so that none is lost with the process. */
  readonly folder: string;
  readonly region: string;
  readonly queues: Pick<Queues, 'send'>;
  readonly retryAfterMs: readonly number[];
  readonly invoke: InvokeHandler;
}

export interface Events {
  configure(functionName: string, settings: EventSettings): void;
  /** Resolves once the event is stored; the function is invoked later. */
  accept(event: SentEvent): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when all that was accepted is done, retries included. */
  settled(): Promise<void>;
  /** Makes each event come twice at once, and events in any order, as Lambda may bring them. */
  bringTwice(isOn: boolean): void;
  /** Begins nothing more. Resolves when no function is at work, or after `graceMs`. */
  pause(graceMs: number): Promise<void>;
}

interface SentEvent {
  readonly functionName: string;
  readonly qualifier: string | undefined;
  readonly payload: string;
}

interface KeptEvent extends SentEvent {
  readonly id: string;
  readonly attempts: number;
}

const RETRIES = 2;
const MOST_DISORDER_MS = 20;

/**
 * Asynchronous invocations. An event on which a function fails comes again, after a minute and after two more; then
 * a record of it goes to the function's destination for failures. Each event comes at least once.
 * Source: AWS Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
 */
export const openEvents = async (options: EventsOptions): Promise<Events> => {
  const { folder, region, queues, retryAfterMs, invoke } = options;
  const left = await openFolder(folder);
  const settings = new Map<string, EventSettings>();
  const timers = new Set<NodeJS.Timeout>();
  const working = new Set<Promise<void>>();
  const open = new Map<string, PromiseWithResolvers<void>>();
  let paused = false;
  let isTwice = false;

  const pathOf = (id: string) => join(folder, `${id}.json`);
  const keep = (event: KeptEvent) => replaceFile(pathOf(event.id), JSON.stringify(event));

  const begin = (event: KeptEvent, afterMs: number) => {
    if (!open.has(event.id)) open.set(event.id, Promise.withResolvers<void>());
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (paused) return;
      const work = attempt(event).catch(() => undefined);
      working.add(work);
      void work.finally(() => working.delete(work));
    }, afterMs);
    timers.add(timer);
  };

  const attempt = async (event: KeptEvent): Promise<void> => {
    const result = await resultOf(invoke, event);
    // An event that was cut off by the end of the process is neither done nor failed: it comes again.
    if (paused && result.functionError !== undefined) return;
    const tried = { ...event, attempts: event.attempts + 1 };
    const { retries = RETRIES, failed } = settings.get(event.functionName) ?? {};
    if (result.functionError !== undefined && tried.attempts <= retries) {
      await keep(tried);
      return begin(tried, retryAfterMs[event.attempts] ?? 0);
    }
    if (result.functionError !== undefined && failed !== undefined) {
      await queues.send(failed, JSON.stringify(failureOf(tried, result, region)));
    }
    await removeFile(pathOf(event.id));
    open.get(event.id)?.resolve();
    open.delete(event.id);
  };

  return {
    configure: (functionName, given) => void settings.set(functionName, given),
    accept: async (sent) => {
      for (let time = 0; time < (isTwice ? 2 : 1); time += 1) {
        const event: KeptEvent = { ...sent, id: randomUUID(), attempts: 0 };
        await keep(event);
        begin(event, isTwice ? randomInt(MOST_DISORDER_MS) : 0);
      }
    },
    resume: async () => {
      for (const name of left) {
        begin(parsedJson(await readFile(join(folder, name), 'utf8')) as KeptEvent, 0);
      }
    },
    bringTwice: (isOn) => {
      isTwice = isOn;
    },
    settled: async () => {
      await Promise.all([...open.values()].map(({ promise }) => promise));
    },
    pause: async (graceMs) => {
      paused = true;
      for (const timer of timers) clearTimeout(timer);
      const grace = Promise.withResolvers<void>();
      const timer = setTimeout(grace.resolve, graceMs);
      await Promise.race([Promise.all(working), grace.promise]);
      clearTimeout(timer);
    },
  };
};

const resultOf = async (invoke: InvokeHandler, event: KeptEvent): Promise<InvokeResult> => {
  const { functionName, payload, qualifier } = event;
  const failed = (errorMessage: string) => ({
    payload: JSON.stringify({ errorMessage }),
    functionError: 'Unhandled',
  });
  try {
    const invoked = invoke(functionName, payload, qualifier);
    return (await invoked) ?? failed('the function is not there any more');
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
};

/** Source: AWS Lambda Developer Guide, "Capturing records of Lambda asynchronous invocations". */
const failureOf = (event: KeptEvent, result: InvokeResult, region: string): object => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId: event.id,
    functionArn: arnOf(
      'lambda',
      region,
      ['function', event.functionName, event.qualifier ?? '$LATEST'].join(':'),
    ),
    condition: 'RetriesExhausted',
    approximateInvokeCount: event.attempts,
  },
  requestPayload: parsedJson(event.payload) as unknown,
  responseContext: {
    statusCode: 200,
    executedVersion: '$LATEST',
    functionError: result.functionError,
  },
  responsePayload: parsedJson(result.payload) as unknown,
});
