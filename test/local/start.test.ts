import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aFreePort } from '../support/target/listening.ts';
import { signInOwner } from '../../local/run/owner.ts';
import { bundlesFolder } from '../support/aws/bundles.ts';
import { logOf } from '../support/service/service.ts';
import { aDescription, aMachine, forAnyone, mcpUrl, rpc, type Started } from './fixtures/start.ts';

const machine = aMachine(await bundlesFolder());
afterEach(() => machine.cleanUp());

const stopped = (started: Started): Promise<number | null> => {
  started.process.kill('SIGINT');
  return started.ended();
};

/** From the sources; the others below need only what is deployed. */
describe('npm start', () => {
  const shared = aMachine();
  let folder: string;
  let started: Started;
  let baseUrl: string;
  beforeAll(async () => {
    folder = await shared.folder();
    started = shared.start({ HOSTED_MCP_DATA: folder });
    baseUrl = await started.ready();
  });
  afterAll(() => shared.cleanUp());

  test('prints how to connect clients, and in its last line that it is ready', () => {
    const url = mcpUrl(baseUrl, 'sample');

    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(started.out()).toMatch(/\nready \S+\n$/);
    for (const line of [
      `Hosted MCP runs at ${baseUrl}`,
      `  MCP URL  ${url}`,
      `  claude mcp add --transport http sample ${url}`,
      `  {"mcpServers":{"sample":{"url":"${url}"}}}`,
      `  {"servers":{"sample":{"type":"http","url":"${url}"}}}`,
      `Data     ${folder}`,
      `Mails    ${folder}/outbox (what the service would send)`,
    ]) {
      expect(started.out()).toContain(`${line}\n`);
    }
    expect(started.errors()).toBe('Starting the service ...\nPublishing ...\n');
  });

  test('prints a link first that signs the owner in to the console', async () => {
    const [, link = ''] = /^\nConsole  .*\/v1\/console\n +(\S+)\n/.exec(started.out()) ?? [];
    const page = await (await fetch(link)).text();

    expect(page).toContain('You will be signed in here as <strong><bdi>owner@localhost</bdi>');
  });

  test('gives the sample to the owner, whose console lists it', async () => {
    const { email, password } = JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8'));
    const owner = await signInOwner(baseUrl, { email, password });
    const { body } = (await owner?.('GET', '/deployments')) ?? {};

    expect(body).toMatchObject({ items: [{ slug: 'sample', name: 'Sample Bookshop' }] });
  });

  const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;
  withCurl('prints a command that calls a tool when it is pasted', async () => {
    const [, command = ''] = /^ {2}(curl .*)$/m.exec(started.out()) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);

    expect(JSON.parse(JSON.parse(stdout).result.content[0].text)).toMatchObject({
      total: 4,
      books: [
        { title: 'The Murders in the Rue Morgue' },
        { title: 'The Mysterious Affair at Styles' },
      ],
    });
  });

  test('serves the sample and its pictures', async () => {
    const { body } = await rpc(mcpUrl(baseUrl, 'sample'), 'tools/call', {
      name: 'getBookCover',
      arguments: { book_id: 1 },
    });

    expect(body.result.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
  });

  test('ends within a moment of a signal, with exit code 0 and each request in a log file', async () => {
    expect(await stopped(started)).toBe(0);
    expect(await logOf(folder, 'router')).toContain('"tool":"getBookCover"');
  });
});

describe('npm start', () => {
  test('ends cleanly while it is still starting', async () => {
    const folder = await machine.folder();
    const started = machine.start({ HOSTED_MCP_DATA: folder });
    await once(started.process.stderr ?? started.process, 'data');
    const code = await stopped(started);
    const next = machine.start({ HOSTED_MCP_DATA: folder });

    expect(code).toBe(0);
    await next.ready();
  });

  test('runs the daily commands of the functions and prints the logs with --verbose, also where limits do not let the sample be published', async () => {
    const limits = '{"endpoints_per_deployment": 1}';
    const environment = { HOSTED_MCP_DATA: await machine.folder(), HOSTED_MCP_LIMITS: limits };
    const started = machine.start(environment, ['--verbose']);
    await rpc(mcpUrl(await started.ready(), 'sample'), 'ping');
    while (!started.errors().includes('"message":"swept"')) await setTimeout(20);
    await stopped(started);

    expect(started.errors()).toContain('"removals":0');
    expect(started.errors()).toContain('"message":"request"');
    expect(started.errors()).toContain('The description of the sample was not published: ');
    expect(started.out()).not.toContain('curl');
  });

  test('lets a call under way finish before it ends', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const port = await machine.server((_, answer) => arrived.resolve(() => answer.end('sunny')));
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/now'], `http://127.0.0.1:${port}`);
    const started = machine.start({ HOSTED_MCP_DATA: folder }, forAnyone(file));
    const url = mcpUrl(await started.ready(), 'weather');

    const call = rpc(url, 'tools/call', { name: 'now', arguments: {} });
    const finish = await arrived.promise;
    const code = stopped(started);
    finish();

    expect((await call).body).toMatchObject({ result: { content: [{ text: 'sunny' }] } });
    expect(await code).toBe(0);
  });
});

describe('npm start with a description', () => {
  test('serves its tools, the same after a kill -9, and a new version of them when it changed', async () => {
    const environment = {
      HOSTED_MCP_DATA: await machine.folder(),
      PORT: String(await aFreePort()),
    };
    const served = async (args: readonly string[], signal: 'SIGINT' | 'SIGKILL' = 'SIGINT') => {
      const started = machine.start(environment, args);
      const { body } = await rpc(mcpUrl(await started.ready(), 'weather'), 'tools/list');
      started.process.kill(signal);
      await started.ended();
      return { body, said: /^(.*) "weather", (version \d)/m.exec(started.out())?.slice(1) };
    };
    const describing = async (paths: readonly string[]) =>
      forAnyone(
        await aDescription(environment.HOSTED_MCP_DATA, paths, 'https://weather.example/v2'),
      );

    const first = await served(await describing(['/now']), 'SIGKILL');
    const afterKill = await served([]);
    const again = await served(await describing(['/now']));
    const next = await served(await describing(['/now', '/tomorrow']));

    expect(first.body.result.tools).toMatchObject([{ name: 'now' }]);
    expect(first.said).toEqual(['Published', 'version 1']);
    expect(afterKill.body).toEqual(first.body);
    expect(again).toEqual({ body: first.body, said: ['Already published:', 'version 1'] });
    expect(next.body.result.tools).toMatchObject([{ name: 'now' }, { name: 'tomorrow' }]);
    expect(next.said).toEqual(['Published a new version of', 'version 2']);
  });

  test('never lets its tools reach the service itself or its embedded AWS', async () => {
    const port = await aFreePort();
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/v1'], `http://127.0.0.1:${port}`);
    const environment = { HOSTED_MCP_DATA: folder, PORT: String(port) };
    const started = machine.start(environment, forAnyone(file));
    const url = mcpUrl(await started.ready(), 'weather');

    expect((await rpc(url, 'tools/call', { name: 'v1', arguments: {} })).body).toMatchObject({
      error: { code: -32000, data: { reason: 'blocked_address' } },
    });
  });

  test('ends before anything is started when the file is missing', async () => {
    const folder = await machine.folder();
    const file = join(folder, 'missing.yaml');
    const started = machine.start({ HOSTED_MCP_DATA: folder }, ['--openapi', file]);

    expect(await started.ended()).toBe(1);
    expect(started.errors()).toBe(`The description ${file} cannot be read: it does not exist.\n`);
  });
});

describe('npm start ends with one sentence', () => {
  const refusal = async (environment: Record<string, string>, args: readonly string[] = []) => {
    const data = environment['HOSTED_MCP_DATA'] ?? (await machine.folder());
    const started = machine.start({ HOSTED_MCP_DATA: data, ...environment }, args);
    const code = await started.ended();
    return {
      code,
      out: started.out(),
      errors: started.errors().replace('Starting the service ...\n', ''),
    };
  };

  test('when something else listens on the port', async () => {
    const port = await machine.server();

    expect(await refusal({ PORT: String(port) })).toEqual({
      code: 1,
      out: '',
      errors: `Port ${port} cannot be used: something else listens there already. Set PORT to another one, or to 0 for any free port.\n`,
    });
  });

  test('when another process uses the data folder', async () => {
    const folder = await machine.folder();
    const running = machine.start({ HOSTED_MCP_DATA: folder });
    await running.ready();
    const file = await aDescription(folder, ['/now'], 'https://weather.example');

    expect(await refusal({ HOSTED_MCP_DATA: folder }, ['--openapi', file])).toEqual({
      code: 1,
      out: '',
      errors:
        `Hosted MCP runs already on the data folder ${folder} (process ${running.process.pid}): ` +
        'stop that one first and run this command again, or set HOSTED_MCP_DATA to another folder.\n',
    });
  });

  test('when the data folder holds something else', async () => {
    const folder = await machine.folder();
    await writeFile(join(folder, 's3'), '');
    const { code, errors } = await refusal({ HOSTED_MCP_DATA: folder });

    expect(code).toBe(1);
    expect(errors).toMatch(/^The data folder \S+ cannot be used: it is a file\. [^\n]*\n$/);
  });

  test.each([
    [
      'a limit is unknown',
      { HOSTED_MCP_LIMITS: '{"requests": 1}' },
      [],
      /^HOSTED_MCP_LIMITS cannot/,
    ],
    ['the port is no number', { PORT: 'none' }, [], /^PORT must be a number/],
    ['an option is unknown', {}, ['--port', '1'], /^Unknown option '--port'\./],
  ])('when %s', async (_, environment, args, sentence) => {
    const { code, errors } = await refusal(environment, args);

    expect(code).toBe(1);
    expect(errors).toMatch(sentence);
    expect(errors.trimEnd()).not.toContain('\n');
  });
});
