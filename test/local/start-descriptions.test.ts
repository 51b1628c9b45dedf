import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import { startService } from '../../local/run/service.ts';
import { bundlesFolder, bundlesOfThisRun } from '../support/aws/bundles.ts';
import { aDescription, aMachine, forAnyone, mcpUrl, rpc } from './fixtures/start.ts';

const machine = aMachine(await bundlesFolder());
afterEach(() => machine.cleanUp());

const toolNames = async (url: string): Promise<string[]> => {
  const { body } = await rpc(url, 'tools/list');
  return body.result.tools.map(({ name }: { name: string }) => name);
};

describe('npm start with a description', () => {
  test('takes it from a URL, under a given name', async () => {
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/now'], 'https://weather.example/v2');
    const port = await machine.server(async (_, answer) => answer.end(await readFile(file)));
    const from = `http://127.0.0.1:${port}/openapi.json`;
    const args = [...forAnyone(from), '--slug', 'sky'];
    const started = machine.start({ HOSTED_MCP_DATA: folder }, args);

    expect(await toolNames(mcpUrl(await started.ready(), 'sky'))).toEqual(['now']);
  });

  test.each([
    [
      'has people sign in unless it is told otherwise',
      [],
      'oauth',
      'Connect a client as below: it opens a page where the owner named below signs in.',
    ],
    [
      'says that clients need a token where they do',
      ['--auth', 'jwt'],
      'jwt',
      'Its clients need a token: without one they are answered 401.',
    ],
  ])('%s', async (_, args, mode, sentence) => {
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/now'], 'https://weather.example/v2');
    const started = machine.start({ HOSTED_MCP_DATA: folder }, ['--openapi', file, ...args]);
    const baseUrl = await started.ready();

    expect((await rpc(mcpUrl(baseUrl, 'weather'), 'tools/list')).status).toBe(401);
    expect((await rpc(mcpUrl(baseUrl, 'sample'), 'tools/list')).status).toBe(200);
    expect(started.out()).toContain(`auth "${mode}"`);
    expect(started.out()).toContain(sentence);
  });

  test('replaces no deployment of somebody else that has the same name', async () => {
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/now'], 'https://weather.example');
    const service = await startService({
      port: 0,
      dataFolder: folder,
      settings: { LIMITS: JSON.stringify(DEFAULT_LIMITS) },
      ...(await bundlesOfThisRun()),
    });
    await service.invoke('management', {
      operator: 'publish',
      ownerId: 'somebody else',
      slug: 'weather',
      authMethod: 'none',
      openapi: await readFile(file, 'utf8'),
    });
    await service.close();
    await writeFile(join(folder, 'format'), '3');
    const refused = machine.start({ HOSTED_MCP_DATA: folder }, [
      ...forAnyone(file),
      '--slug',
      'weather',
    ]);

    expect(await refused.ended()).toBe(1);
    expect(refused.errors()).toContain('The slug "weather" is taken.');
  });

  test('ends with the reason when it is refused, and publishes nothing of it', async () => {
    const folder = await machine.folder();
    const file = await aDescription(folder, ['/now']);
    const refused: readonly (readonly [text: string | undefined, why: string])[] = [
      // It says nowhere where the API is.
      [undefined, '--api-base URL'],
      ['{"openapi": "3.1.0",\n "info": }', 'at line 2, column '],
      ['{"openapi": "3.1.0", "info": {"title": "Weather"}, "paths": {}}', 'no operations'],
    ];
    for (const [text, why] of refused) {
      if (text !== undefined) await writeFile(file, text);
      const started = machine.start({ HOSTED_MCP_DATA: folder }, ['--openapi', file]);

      expect(await started.ended()).toBe(1);
      expect(started.errors()).toContain(`The description ${file} was not published: `);
      expect(started.errors()).toContain(why);
    }
    const baseUrl = await machine.start({ HOSTED_MCP_DATA: folder }).ready();
    expect((await fetch(mcpUrl(baseUrl, 'weather'))).status).toBe(404);
  });
});
