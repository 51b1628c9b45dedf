import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WantedPublication } from '../../local/run/options.ts';
import { aMachine } from '../local/fixtures/start.ts';
import { bundlesFolder } from '../support/aws/bundles.ts';
import { countStored, countStoredIn, NOTHING_STORED } from '../support/aws/data-folder.ts';
import { CLIENTS } from '../support/mcp/mcp-clients.ts';
import { type Publisher, startPublisher } from '../support/service/publisher.ts';

const machine = aMachine(await bundlesFolder());
let file: URL;
let publisher: Publisher;

beforeAll(async () => {
  file = pathToFileURL(join(await machine.folder(), 'openapi.yaml'));
  publisher = await startPublisher();
});
afterAll(async () => {
  await publisher.stop();
  await machine.cleanUp();
});

const FINE = { responses: { 200: { description: 'fine' } } };
const GOOD = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: { '/pets': { get: FINE } },
};
const withPaths = (paths: object) => JSON.stringify({ ...GOOD, paths });
const withParameter = (parameter: object) =>
  withPaths({ '/pets': { get: { ...FINE, parameters: [parameter] } } });

/** An array of arrays ... of this many levels. */
const nested = (levels: number): object =>
  levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };

/** Each letter stands for ten of the letter before. */
const EXPLOSION = [
  'openapi: 3.1.0',
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...[...'abcdefgh'].map((letter, index) => {
    const next = 'bcdefghi'[index];
    return `${next}: &${next} [${Array(10).fill(`*${letter}`).join(', ')}]`;
  }),
].join('\n');

/** What is said instead of publishing it. FILE stands for the description's path. */
const refusalOf = async (text: string, options?: Partial<WantedPublication>): Promise<string> => {
  await writeFile(file, text);
  const published = publisher.publish(file, options);
  const said = await published.catch((error: Error) => error.message);
  return said.replaceAll(file.pathname, 'FILE');
};

const NOT_PUBLISHED = 'The description FILE was not published: ';

describe('publishing a description with an error', () => {
  test.each<[string, string, string]>([
    [
      'is malformed JSON',
      '{"openapi": "3.1.0",\n "info": }',
      'The description is not valid JSON or YAML.\n' +
        '  at line 2, column 7: a JSON value was expected. Mend the syntax at this place; a JSON or YAML linter shows it.',
    ],
    [
      'is malformed YAML',
      'openapi: 3.1.0\ninfo:\n  title: Pets\n version: 1\n',
      'The description is not valid JSON or YAML.\n' +
        '  at line 4, column 2: bad indentation of a mapping entry. Mend the syntax at this place; a JSON or YAML linter shows it.',
    ],
    [
      'is not an OpenAPI description',
      'services:\n  web: {}\n',
      'The document is not an OpenAPI description.\n' +
        '  found no version under `openapi` or `swagger`; the document begins with "services". Send a description with `openapi: 3.0`, `3.1` or `3.2`, or `swagger: "2.0"`.',
    ],
    [
      'violates the OpenAPI specification twice',
      withPaths({ '/pets': { get: { ...FINE, parameters: [{ name: 'a' }, { in: 'query' }] } } }),
      'The description breaks the rules of OpenAPI.\n' +
        '  at /paths/~1pets/get/parameters/0: parameter "a" has no `in`. Let `in` be one of path, query, header, cookie.\n' +
        '  at /paths/~1pets/get/parameters/1: a parameter without a name. Add `name`, a text.',
    ],
    [
      'is one byte too large',
      JSON.stringify(GOOD).padEnd(5_242_881),
      'The description has 5242881 bytes; at most 5242880 are accepted.\n' +
        '  too large. Leave out operations, examples or schemas that are not needed.',
    ],
    [
      'nests schemas one level too deep',
      withParameter({ name: 'a', in: 'query', schema: nested(21) }),
      'The description nests schemas more than 20 levels deep.\n' +
        `  at /paths/~1pets/get/parameters/0/schema${'/items'.repeat(20)}: schema at level 21; at most 20 levels are accepted. Move nested schemas into components and refer to them with \`$ref\`.`,
    ],
    [
      'refers to another file',
      withParameter({ $ref: 'file:///etc/passwd#/a' }),
      'The description refers to other files or addresses, which are never fetched.\n' +
        '  at /paths/~1pets/get/parameters/0: refers to "file:///etc/passwd#/a". Bundle everything into one document and refer to it with `#/...`.',
    ],
    [
      'has a dangling reference',
      withParameter({ $ref: '#/components/parameters/Limit' }),
      'The description refers to what it does not hold.\n' +
        '  at /paths/~1pets/get/parameters/0: refers to "#/components/parameters/Limit", which does not exist. Correct the reference, or add what it refers to.',
    ],
    [
      'has no operations',
      withPaths({}),
      'The description has no operations.\n' +
        '  at /paths: no operations. Describe at least one operation under `paths`.',
    ],
    [
      'has one operation too many',
      withPaths(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`/${n}`, { get: FINE }]))),
      'The description has 51 operations, at most 50 are allowed.\n' +
        '  at /operations: 51 operations, at most 50 are allowed. Choose with `operations.include` or `operations.exclude`. Name operations with `tag:NAME`, `METHOD /path` (`*` in either) or an operationId. Or publish with `tool_mode: "search"`, which lets clients search and call all of them through three tools.\n' +
        'Choose operations with --include and --exclude, or take all of them with --tool-mode search, or raise endpoints_per_deployment in HOSTED_MCP_LIMITS.',
    ],
    [
      'has no server URL',
      JSON.stringify({ ...GOOD, servers: [] }),
      'The description names no server that its operations can be sent to.\n' +
        '  at /paths/~1pets/get: no absolute http or https server address of at most 2048 characters. Give the address of the API (`--api-base URL`, `api_base_url`), or add it to `servers`.',
    ],
    [
      'explodes through YAML aliases',
      EXPLOSION,
      'The YAML aliases of the description explode.\n' +
        '  at /f/4: grows far beyond its size when its aliases are written out. Use fewer aliases, or `$ref`.',
    ],
    [
      'has the key __proto__',
      JSON.stringify(GOOD).replace('"/pets"', '"__proto__":{},"/pets"'),
      'The description holds a key that is never accepted.\n' +
        '  at /paths/__proto__: the key `__proto__`. Rename the key or remove it.',
    ],
  ])('explains and stores nothing if it %s', async (_, text, said) => {
    expect(await refusalOf(text)).toBe(`${NOT_PUBLISHED}${said}`);
    expect(await countStored(publisher.aws)).toEqual(NOTHING_STORED);
  });

  test.each<[string, Partial<WantedPublication>, string]>([
    [
      'a selection that names no operation',
      { include: ['getDogs'] },
      'The selection names operations that do not exist.\n' +
        '  at /operations/include/0: "getDogs" names no operation of the description. Name operations with `tag:NAME`, `METHOD /path` (`*` in either) or an operationId.',
    ],
    [
      'a base URL that is not http',
      { apiBaseUrl: 'ftp://pets.example' },
      'The base URL of the API is not usable.\n' +
        '  at /api_base_url: no http or https address, or one with a password in it. Write an address such as https://api.example.com/v1.',
    ],
  ])('explains and stores nothing for %s', async (_, options, said) => {
    expect(await refusalOf(JSON.stringify(GOOD), options)).toBe(`${NOT_PUBLISHED}${said}`);
    expect(await countStored(publisher.aws)).toEqual(NOTHING_STORED);
  });
});

test('an invalid description keeps the previous version served', async () => {
  const slug = 'pets';
  await writeFile(file, JSON.stringify(GOOD));
  const url = await publisher.publish(file, { slug });
  const before = await countStored(publisher.aws);

  const said = await refusalOf(withPaths({}), { slug });

  expect(said).toContain('The description has no operations.');
  expect(await countStored(publisher.aws)).toEqual(before);
  const [[, connect]] = CLIENTS;
  const client = await connect(url);
  expect(await client.listTools()).toMatchObject({ tools: [{ name: 'get_pets' }] });
  await client.close();
});

test('npm start ends with the reason if the description has an error, and stores nothing', async () => {
  await writeFile(file, withParameter({ $ref: '#/components/parameters/Limit' }));
  const dataFolder = await machine.folder();

  const started = machine.start({ HOSTED_MCP_DATA: dataFolder }, ['--openapi', file.pathname]);

  expect(await started.ended()).toBe(1);
  expect(started.out()).toBe('');
  expect(started.errors()).toBe(
    'Starting the service ...\nPublishing ...\n' +
      `The description ${file.pathname} was not published: The description refers to what it does not hold.\n` +
      '  at /paths/~1pets/get/parameters/0: refers to "#/components/parameters/Limit", which does not exist. Correct the reference, or add what it refers to.\n',
  );
  expect(await countStoredIn(dataFolder)).toEqual(NOTHING_STORED);
});

test('npm start ends before it starts anything if the description is not UTF-8', async () => {
  await writeFile(file, Buffer.from('openapi: "caf\xe9"', 'latin1'));

  const started = machine.start({ HOSTED_MCP_DATA: await machine.folder() }, [
    '--openapi',
    file.pathname,
  ]);

  expect(await started.ended()).toBe(1);
  expect(started.errors()).toBe(
    `The description ${file.pathname} cannot be read: it is not UTF-8 text. Save it as UTF-8.\n`,
  );
});
