import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type FunctionSettings, localFunction } from '../../local/functions/index.ts';
import { openLogFile } from '../../local/functions/log-file.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const aFunction = (settings: Partial<FunctionSettings> = {}) => {
  const fn = localFunction({
    name: 'sample',
    entry: new URL('./fixtures/function.ts', import.meta.url),
    memoryMb: 256,
    timeoutSeconds: 20,
    start: Promise.resolve({ environment: {}, options: {} }),
    ...settings,
  });
  opened.push(fn);
  const invoke = async (event: unknown): Promise<unknown> =>
    JSON.parse(await fn.invoke(JSON.stringify(event)));
  return { ...fn, invoke };
};

const inFolder = async (write: (folder: string) => unknown) => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-log-'));
  const logs = join(folder, 'logs');
  await write(logs);
  const files = (await readdir(logs)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(logs, file), 'utf8')));
  await rm(folder, { recursive: true });
  return Object.fromEntries(files.map((file, at) => [file, texts[at]]));
};

/** All that a function has logged when it has done something. */
const loggedBy = async (use: (fn: ReturnType<typeof aFunction>) => Promise<unknown>) => {
  const files = await inFolder(async (folder) => {
    const fn = aFunction({ log: { folder, retentionDays: 90, isShown: false } });
    await use(fn);
    await fn.close();
  });
  return Object.values(files).join('');
};

describe('a function in its thread', () => {
  test('has the environment it was given and nothing of the machine', async () => {
    const environment = { BASE_URL: 'http://127.0.0.1:1/v1', AWS_REGION: 'us-east-1' };
    const { invoke } = aFunction({ start: Promise.resolve({ environment, options: {} }) });

    expect(await invoke({ ask: 'environment' })).toEqual({ given: environment, own: environment });
  });

  test('is frozen between its invocations', async () => {
    const fn = aFunction();
    const isFrozen = () =>
      Promise.race([fn.thawed().then(() => false), setImmediate().then(() => true)]);

    const beforeTheFirst = await isFrozen();
    await fn.invoke({ ask: 'echo' });
    const afterIt = await isFrozen();
    const next = fn.invoke({ ask: 'echo' });
    await fn.thawed();
    await next;

    expect([beforeTheFirst, afterIt, await isFrozen()]).toEqual([false, true, true]);
  });

  test('is started with the options of the local run', async () => {
    const options = { targets: { loopback: { exceptPorts: [1, 2] } } };
    const { invoke } = aFunction({ start: Promise.resolve({ environment: {}, options }) });

    expect(await invoke({ ask: 'options' })).toEqual(options);
  });

  test('gets its name, a request id and the time that it has left in its context', async () => {
    const { invoke } = aFunction();

    expect(await invoke({ ask: 'context' })).toMatchObject({
      functionName: 'sample',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      left: expect.closeTo(20_000, -4),
    });
  });

  test('answers null where it returns nothing', async () => {
    expect(await aFunction().invoke({ ask: 'nothing' })).toBeNull();
  });

  test('answers many events at once, each with its own result', async () => {
    const { invoke } = aFunction();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, answer) => invoke({ ask: 'answer', answer })),
    );

    expect(answers).toEqual(Array.from({ length: 50 }, (_, at) => at));
  });

  test('goes on with the events that it has begun before it begins more', async () => {
    const { invoke } = aFunction();
    const most = await Promise.all(Array.from({ length: 50 }, () => invoke({ ask: 'turns' })));

    expect(Math.max(...most.map(Number))).toBeLessThan(10);
  });

  test('keeps its state between events', async () => {
    const { invoke } = aFunction();
    await invoke({ ask: 'count' });

    expect(await invoke({ ask: 'count' })).toBe(2);
  });
});

describe('a function that cannot start', () => {
  test('fails with the reason', async () => {
    const environment = { BROKEN: 'yes' };
    const { ready } = aFunction({ start: Promise.resolve({ environment, options: {} }) });

    await expect(ready()).rejects.toThrow('sample could not start: Error: LIMITS is not valid');
  });

  test('fails with the reason when its entry module is missing', async () => {
    const { ready } = aFunction({ entry: new URL('./fixtures/missing.ts', import.meta.url) });

    await expect(ready()).rejects.toThrow('Cannot find module');
  });
});

describe('a function on demand', () => {
  test('answers its first event, and the next one in the same thread', async () => {
    const { invoke } = aFunction({ onDemand: true });

    expect(await invoke({ ask: 'count' })).toBe(1);
    expect(await invoke({ ask: 'count' })).toBe(2);
  });

  test('is started no sooner: it fails at its first event where it cannot start', async () => {
    const missing = new URL('./fixtures/missing.ts', import.meta.url);
    const { ready, invoke } = aFunction({ onDemand: true, entry: missing });

    await ready();
    await expect(invoke({ ask: 'count' })).rejects.toThrow('Cannot find module');
  });

  test('is heard of its failure where what it is started with fails before', async () => {
    const start = setImmediate().then(() => Promise.reject(new Error('no folder')));
    const { invoke } = aFunction({ onDemand: true, start });

    await setTimeout(10);
    await expect(invoke({ ask: 'count' })).rejects.toThrow('sample ended');
  });
});

describe('a function that fails', () => {
  test('fails that invocation only, and its log says where', async () => {
    const log = await loggedBy(async ({ invoke }) => {
      await expect(invoke({ ask: 'throw' })).rejects.toThrow('sample failed: TypeError: a bug');
      expect(await invoke({ ask: 'count' })).toBe(1);
    });

    expect(log).toContain('"event":"invoke_error","function":"sample"');
    expect(log).toContain('fixtures/function.ts');
  });

  test.each([
    ['ends its process', 'exit', 'sample ended'],
    ['crashes between events', 'crash', 'sample crashed: out of nowhere'],
  ])('fails all invocations under way when it %s, and is started again', async (_, ask, reason) => {
    const { invoke } = aFunction();
    await invoke({ ask: 'count' });
    const waiting = invoke({ ask: 'wait' });
    const fatal = invoke({ ask });

    await expect(waiting).rejects.toThrow(reason);
    await expect(fatal).rejects.toThrow(reason);
    expect(await invoke({ ask: 'count' })).toBe(1);
  });

  test('runs out of time without harm to other invocations', async () => {
    const { invoke } = aFunction({ timeoutSeconds: 0.3 });
    await invoke({ ask: 'count' });

    await expect(invoke({ ask: 'wait' })).rejects.toThrow('sample did not answer in 300 ms');
    expect(await invoke({ ask: 'count' })).toBe(2);
  });

  test('fails where its answer comes after its time', async () => {
    const { invoke } = aFunction({ timeoutSeconds: 0.3 });
    await invoke({ ask: 'count' });

    await expect(invoke({ ask: 'late' })).rejects.toThrow('300 ms');
  });

  test('is replaced when it never returns to its event loop, and what was sent to it meanwhile is done', async () => {
    const { invoke } = aFunction({ timeoutSeconds: 0.5 });
    await invoke({ ask: 'count' });
    const endless = invoke({ ask: 'loop' });
    const meanwhile = setTimeout(400).then(() => invoke({ ask: 'count' }));

    await expect(endless).rejects.toThrow('sample did not answer in 500 ms');
    const next = invoke({ ask: 'count' });

    expect((await Promise.allSettled([meanwhile, next])).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
    ]);
    expect(await invoke({ ask: 'count' })).toBe(3);
  });

  test('takes no events any more once it is closed', async () => {
    const { invoke, close } = aFunction();
    await close();

    await expect(invoke({ ask: 'count' })).rejects.toThrow('sample is stopped');
  });
});

describe('the output of a function', () => {
  test('is in its log before its answer, and who follows the log hears of it', async () => {
    const heard = Promise.withResolvers<void>();
    const files = await inFolder(async (folder) => {
      const log = { folder, retentionDays: 90, isShown: false };
      const { invoke } = aFunction({ log, logged: heard.resolve });
      await invoke({ ask: 'log', text: '{"event":"request"}' });
      const [file = ''] = await readdir(folder);
      expect(await readFile(join(folder, file), 'utf8')).toBe('{"event":"request"}\n');
      await heard.promise;
    });

    expect(Object.keys(files)).toEqual([expect.stringMatching(/^sample-.+\.log$/)]);
  });

  test('is there where it never comes back, and so is why its thread ended', async () => {
    const log = await loggedBy(async ({ invoke }) => {
      await invoke({ ask: 'log', text: 'the last line' });
      await expect(invoke({ ask: 'crash' })).rejects.toThrow('sample crashed');
    });

    expect(log).toMatch(/^the last line\n\{"level":"error","event":"thread_error"/);
  });
});

const NOON = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

describe('a log file', () => {
  const writing = (folder: string, text: string, atMs: number, retentionDays = 90) => {
    const log = openLogFile({ folder, name: 'router', retentionDays, now: () => atMs });
    log.write(Buffer.from(text));
    log.close();
  };

  test('is appended to, at the next start too', async () => {
    const files = await inFolder((folder) => {
      for (const line of ['one\n', 'two\n']) writing(folder, line, NOON);
    });

    expect(files).toEqual({ 'router-2026-11-20.log': 'one\ntwo\n' });
  });

  test('ends a line that a crash has cut short', async () => {
    const files = await inFolder((folder) => {
      for (const line of ['on', 'two\n']) writing(folder, line, NOON);
    });

    expect(files).toEqual({ 'router-2026-11-20.log': 'on\ntwo\n' });
  });

  test('is another one from the first moment of the next day', async () => {
    const files = await inFolder((folder) => {
      let now = Date.parse('2026-11-20T23:59:59.999Z');
      const log = openLogFile({ folder, name: 'router', retentionDays: 90, now: () => now });
      log.write(Buffer.from('one\n'));
      now += 1;
      log.write(Buffer.from('two\n'));
      log.close();
    });

    expect(files).toEqual({ 'router-2026-11-20.log': 'one\n', 'router-2026-11-21.log': 'two\n' });
  });

  test.each([
    ['is kept for as many days as logs are kept', 2 * DAY_MS - 1, true],
    ['is removed when that time has passed since its day', 2 * DAY_MS, false],
  ])('%s', async (_, ms, isKept) => {
    const end = Date.parse('2026-11-21T00:00:00Z');
    const files = await inFolder((folder) => {
      writing(folder, 'one\n', NOON, 2);
      openLogFile({ folder, name: 'router', retentionDays: 2, now: () => end + ms }).close();
    });

    expect('router-2026-11-20.log' in files).toBe(isKept);
  });

  test('of another function is left alone', async () => {
    const files = await inFolder((folder) => {
      writing(folder, 'one\n', NOON, 1);
      const other = { folder, name: 'oauth', retentionDays: 1 };
      openLogFile({ ...other, now: () => NOON + 9 * DAY_MS }).close();
    });

    expect(files).toHaveProperty(['router-2026-11-20.log']);
  });
});
