import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKOUT, installedIn, packedApp } from '../support/cdk/packed-app.ts';
import { appWith, startSynthesizer, type Synthesizer } from '../support/cdk/synthesizer.ts';
import { newerCalls, OLDER_NODES } from '../support/older-node/nodes.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await packedApp();
});

test('what the packages are made of is typed against the library of Node 20', async () => {
  const tsc = join(CHECKOUT, 'node_modules/typescript-native/bin/tsc');
  const args = [tsc, '-p', join(CHECKOUT, 'bin/node-20.json'), '--singleThreaded'];
  const { stdout } = await run(process.execPath, args).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});

test('no packed file calls a function by a name that Node 20 has not', () => {
  const files = globSync('{*.js,compiler/*.mjs}', { cwd: installedIn(folder) });
  expect(files.length).toBeGreaterThan(2);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(installedIn(folder), file), 'utf8');
    return newerCalls(text).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});

test('the package promises no older one', () => {
  const { engines } = JSON.parse(
    readFileSync(join(installedIn(folder), 'package.json'), 'utf8'),
  ) as { readonly engines: object };
  expect(engines).toEqual({ node: '>=20.0' });
});

/** All that groups, walks and shortens; and the service itself. */
const APP = appWith(`
  const { readdirSync } = require('node:fs');
  const descriptions = process.env.DESCRIPTIONS.split(',');
  for (const [index, file] of descriptions.entries()) {
    new McpServer(stack, 'Server' + index, { service, slug: 'server-' + index,
      openApi: OpenApi.fromAsset(file), apiBaseUrl: 'https://api.example.com',
      members: { structured_output: 'on' } });
  }
  new HostedMcp(app, 'Service', { name: 'dev', stage: ${readFileSync(join(CHECKOUT, 'config/dev.json'), 'utf8')} });`);
const DESCRIPTIONS = [
  'examples/bookshop.yaml',
  'test/fixtures/descriptions/alertmanager.json',
  'test/fixtures/descriptions/powerdns.yaml',
]
  .map((name) => join(CHECKOUT, name))
  .join();

describe.each(OLDER_NODES)('on %s', (_, node, flags) => {
  let synthesizer: Synthesizer;
  beforeAll(async () => {
    synthesizer = await startSynthesizer(folder, { node, flags, env: { DESCRIPTIONS } });
  });
  afterAll(() => synthesizer.close());

  test('servers and the service are synthesized', async () => {
    const { fault, stacks } = await synthesizer.synthesis(APP);
    expect(fault).toBeUndefined();
    expect(Object.keys(stacks)).toHaveLength(3);
    expect(stacks['Orders']?.server['Size']).toMatch(/^7 tools/);
  });

  test('what is wrong is said in a sentence', async () => {
    const { fault } = await synthesizer.synthesis(
      appWith(
        `new McpServer(stack, 'One', { service, slug: 'orders', openApi: OpenApi.fromInline({}) });`,
      ),
    );
    expect(fault).toMatch(/^Orders\/One: /);
    expect(fault?.length).toBeLessThan(1000);
  });
});
