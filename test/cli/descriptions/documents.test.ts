import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DescriptionFault } from '../../../cli/descriptions/description-fault.ts';
import { prepareDescription } from '../../../cli/descriptions/prepare-description.ts';
import type { Preparation } from '../../../cli/descriptions/prepare-description.ts';
import {
  aDescriptionFolder,
  type DescriptionFolder,
} from '../../support/openapi/description-files.ts';

let folder: DescriptionFolder;
beforeEach(async () => {
  folder = await aDescriptionFolder();
});
afterEach(() => folder.remove());

/** One operation whose answer is a schema that is elsewhere. */
const referringTo = ($ref: unknown) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        responses: { 200: { description: 'fine', content: { 'a/b': { schema: { $ref } } } } },
      },
    },
  },
});

const PLACE = '#/paths/~1pets/get/responses/200/content/a~1b/schema';

/** What is said of a description that is not taken. */
const faultOf = async (file: string, how: Partial<Preparation> = {}): Promise<DescriptionFault> => {
  const prepared = await folder.prepare(file, how).catch((error: unknown) => error);
  if (prepared instanceof DescriptionFault) return prepared;
  throw new Error('nothing was refused', { cause: prepared });
};

const whatIsWrong = async (file: string, how: Partial<Preparation> = {}) =>
  (await faultOf(file, how)).findings.map(({ where, what }) => `${where} | ${what}`);

describe('a file that a description refers to', () => {
  test.each<[string, string, unknown, string]>([
    ['is not there', 'Pet.json', undefined, 'there is no such file'],
    ['lacks what is referred to', 'Pet.json#/b', { a: {} }, 'nothing is there'],
    ['has no anchor of that name', 'Pet.json#pet', {}, 'nothing is there'],
    ['holds no object there', 'Pet.json#/a', { a: 'text' }, 'no object is there'],
    ['holds no object at all', 'Pet.json', '- a\n- b\n', 'no object is there'],
    ['is no YAML', 'Pet.json', 'a: [', 'it cannot be parsed, unexpected end of the stream'],
    ['is larger than 5 MB', 'Pet.json', ' '.repeat(5_242_881), 'it is larger than 5 MB'],
  ])('is named with the place of the reference if it %s', async (_, ref, content, why) => {
    await folder.write({
      'api.json': referringTo(ref),
      ...(content !== undefined && { 'Pet.json': content }),
    });

    expect(await whatIsWrong('api.json')).toEqual([
      expect.stringContaining(`api.json${PLACE} | refers to ${JSON.stringify(ref)}: ${why}`),
    ]);
  });

  test('is named with the file that refers to it', async () => {
    await folder.write({
      'api.json': referringTo('schemas/Pet.json'),
      'schemas/Pet.json': { items: { $ref: '../Gone.json' }, not: { $ref: 'gone/too.json' } },
    });

    expect(await whatIsWrong('api.json')).toEqual([
      'schemas/Pet.json#/items | refers to "../Gone.json": there is no such file',
      'schemas/Pet.json#/not | refers to "gone/too.json": there is no such file',
    ]);
  });

  test('is not needed where only data and unused parts refer to it', async () => {
    await folder.write({
      'api.json': referringTo('parts.json#/a'),
      'parts.json': { a: { example: { $ref: 'gone.json' } }, b: { $ref: 'gone.json' } },
    });

    expect((await folder.prepare('api.json')).bundled).toEqual(['parts.json']);
  });

  test('may have spaces and other signs in its name', async () => {
    await folder.write({
      'api.json': referringTo('my%20parts/a%23b.json'),
      'my parts/a#b.json': { type: 'string' },
    });

    expect((await folder.prepare('api.json')).bundled).toEqual(['my parts/a#b.json']);
  });

  test('is one of at most a thousand', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1001 }, (_, n) => [`p${n}`, { $ref: `gone${n}.json` }]),
    );
    await folder.write({ 'api.json': referringTo('all.json'), 'all.json': { properties } });
    const fault = await faultOf('api.json');

    expect(fault.findings).toHaveLength(20);
    expect(fault.message).toContain('The first 20 of 1001');
  });

  test('is no folder', async () => {
    await folder.write({ 'api.json': referringTo('parts') });
    await mkdir(join(folder.path, 'parts'));

    expect(await whatIsWrong('api.json')).toEqual([
      `api.json${PLACE} | refers to "parts": it is no file`,
    ]);
  });
});

describe('a file outside of the folder of a description', () => {
  let outside: string;
  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'hosted-mcp-outside-')));
    await writeFile(join(outside, 'secret.json'), '{"type": "string"}');
  });
  afterEach(() => rm(outside, { recursive: true }));

  test.each([
    ['a path', () => `../${outside.split('/').at(-1)}/secret.json`],
    ['a path from the root', () => join(outside, 'secret.json')],
    ['an address of a file', () => `file://${outside}/secret.json`],
    ['an encoded path', () => `%2e%2e/${outside.split('/').at(-1)}/secret.json`],
  ])('is not read by %s', async (_, ref) => {
    await folder.write({ 'api.json': referringTo(ref()) });

    expect(await whatIsWrong('api.json')).toEqual([
      expect.stringMatching(/: it lies outside of \S+; --root names a folder around both$/),
    ]);
  });

  test.each([
    ['file', 'link.json', 'secret.json', 'link.json'],
    ['folder', 'linked', '', 'linked/secret.json'],
  ])('is not read through a link to a %s', async (_, name, target, ref) => {
    await folder.write({ 'api.json': referringTo(ref) });
    await symlink(join(outside, target), join(folder.path, name));

    expect(await whatIsWrong('api.json')).toEqual([
      `api.json${PLACE} | refers to "${ref}": a link leads out of ${folder.path}`,
    ]);
  });

  test('is read through a link that stays in the folder', async () => {
    await folder.write({ 'api.json': referringTo('link.json'), 'Pet.json': { type: 'string' } });
    await symlink(join(folder.path, 'Pet.json'), join(folder.path, 'link.json'));

    expect((await folder.prepare('api.json')).bundled).toEqual(['link.json']);
  });

  test('is read where --root names a folder around both', async () => {
    await folder.write({
      'apis/pets/api.json': referringTo('../common/Pet.json'),
      'apis/common/Pet.json': { type: 'string' },
    });
    const root = join(folder.path, 'apis');

    expect((await folder.prepare('apis/pets/api.json', { root })).bundled).toEqual([
      'common/Pet.json',
    ]);
    expect(await whatIsWrong('apis/pets/api.json')).toHaveLength(1);
  });

  test('is not read from a folder that is not there', async () => {
    await folder.write({ 'api.json': referringTo('Pet.json') });
    const root = join(folder.path, 'gone');

    expect((await faultOf('api.json', { root })).message).toContain('cannot be read');
  });
});

describe('a description from standard input', () => {
  const prepared = (root?: string) =>
    prepareDescription(
      { text: JSON.stringify(referringTo('Pet.json')), file: undefined },
      { fetchRefs: false, strict: false, fetch, root },
    );

  test('is sent as it is', async () => {
    expect(await prepared()).toMatchObject({ bundled: [] });
  });

  test('refers to files of the folder that --root names', async () => {
    await folder.write({ 'Pet.json': { type: 'string' } });

    expect(await prepared(folder.path)).toMatchObject({ bundled: ['Pet.json'] });
  });
});

describe('an address that a description refers to', () => {
  const PET = 'https://parts.example/pets/Pet.json';
  const answers: Record<string, () => Response> = {
    [PET]: () => Response.json({ items: { $ref: 'Toy.json' } }),
    'https://parts.example/pets/Toy.json': () => new Response('type: string'),
    'https://parts.example/large': () => new Response('x'.repeat(5_242_881)),
    'https://parts.example/local': () => Response.json({ items: { $ref: 'file:///etc/passwd' } }),
  };
  let asked: { readonly url: string; readonly request: RequestInit }[];
  const fetching = {
    fetchRefs: true,
    fetch: async (url: string, request: RequestInit) => {
      asked.push({ url, request });
      return answers[url]?.() ?? new Response('', { status: 404 });
    },
  };
  beforeEach(() => {
    asked = [];
  });

  test('stays a reference, and nothing is fetched', async () => {
    await folder.write({
      'api.json': referringTo('Pet.json'),
      'Pet.json': { items: { $ref: PET } },
    });
    const { text, bundled } = await folder.prepare('api.json');

    expect(JSON.parse(text).components.schemas.Pet).toEqual({ items: { $ref: PET } });
    expect(bundled).toEqual(['Pet.json']);
  });

  test('is fetched with --fetch-refs, and what it refers to', async () => {
    await folder.write({ 'api.json': referringTo(PET) });
    const { text, bundled } = await folder.prepare('api.json', fetching);

    expect(bundled).toEqual([PET, 'https://parts.example/pets/Toy.json']);
    expect(JSON.parse(text).components.schemas).toEqual({
      Pet: { items: { $ref: '#/components/schemas/Toy' } },
      Toy: { type: 'string' },
    });
  });

  test('is fetched without a credential, without redirects and with a deadline', async () => {
    await folder.write({ 'api.json': referringTo(PET) });
    await folder.prepare('api.json', fetching);

    expect(asked[0]?.request).toEqual({
      credentials: 'omit',
      redirect: 'error',
      signal: expect.any(AbortSignal),
    });
  });

  test.each([
    ['http', 'http://parts.example/Pet.json', 'only https is fetched'],
    ['it is not there', 'https://parts.example/gone', 'it answers HTTP 404'],
    ['it is larger than 5 MB', 'https://parts.example/large', 'it is larger than 5 MB'],
  ])('is named with the place of the reference if it is not taken: %s', async (_, ref, why) => {
    await folder.write({ 'api.json': referringTo(ref) });

    expect(await whatIsWrong('api.json', fetching)).toEqual([
      `api.json${PLACE} | refers to "${ref}": ${why}`,
    ]);
  });

  test('refers to no file of this machine', async () => {
    await folder.write({ 'api.json': referringTo('https://parts.example/local') });

    expect(await whatIsWrong('api.json', { ...fetching, root: '/' })).toEqual([
      'https://parts.example/local#/items | refers to "file:///etc/passwd": it is a file here, and what refers to it is not',
    ]);
  });
});

describe('a description of several files made to do harm', () => {
  test('is refused where its YAML aliases explode', async () => {
    const lines = Array.from({ length: 30 }, (_, n) =>
      n === 0 ? 'a0: &a0 [x, x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}, *a${n - 1}]`,
    );
    await folder.write({
      'api.yaml': `openapi: 3.0.3\npaths: { /a: { $ref: a.yaml } }\n${lines.join('\n')}\n`,
      'a.yaml': 'get: {}\n',
    });

    expect((await faultOf('api.yaml')).message).toContain('aliases of the description explode');
  });

  test('is refused where it is nested without end', async () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    const text = `{"paths": {"/a": {"$ref": "a.json"}}, "x": ${nested}}`;
    await folder.write({ 'api.json': text, 'a.json': {} });

    expect((await faultOf('api.json')).message).toContain('nested too deep');
  });

  test('is left to the service where it is no description at all', async () => {
    const text = '{"$ref": "./a.json", ';
    await folder.write({ 'api.json': text });

    expect(await folder.prepare('api.json')).toEqual({ text, bundled: [], findings: [] });
  });
});
