import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { Problem } from '../../console/src/api/problem.ts';
import { oneDescription } from '../../console/src/several-files/one-description.ts';
import {
  aDescriptionFolder,
  type DescriptionFolder,
} from '../support/openapi/description-files.ts';

let folder: DescriptionFolder;
beforeEach(async () => {
  folder = await aDescriptionFolder();
});
afterEach(() => folder.remove());

const API = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { responses: { 200: { $ref: parts/answers.yaml#/Fine } } }
  /pets/{id}:
    $ref: parts/pet.json
`;
const FILES: Readonly<Record<string, string>> = {
  'api.yaml': API,
  'parts/answers.yaml': `Base: &base { description: fine }
Fine:
  <<: *base
  content: { application/json: { schema: { $ref: 'sch%20emas/Pet.yaml' } } }
`,
  'parts/sch emas/Pet.yaml': `type: object
properties: { friend: { $ref: '#' }, name: { type: string } }
`,
  'parts/pet.json': JSON.stringify({
    get: { operationId: 'pet', responses: { 200: { $ref: 'answers.yaml#/Fine' } } },
  }),
  'README.md': '# no description',
};

const given = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([path, text]) => ({ path, blob: new Blob([text]) }));
const archive = (path: string, bytes: Uint8Array) => [
  { path, blob: new Blob([bytes as Uint8Array<ArrayBuffer>]) },
];
const zipped = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));

/** As `tar` writes it. */
const tarred = (files: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([path, text]) => {
      const header = Buffer.alloc(512);
      const content = Buffer.from(text);
      header.write(path, 0);
      header.write(content.length.toString(8).padStart(11, '0'), 124);
      header.write('0ustar', 156);
      return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
    }),
    Buffer.alloc(1024),
  ]);

/** An archive whose directory names the same two megabytes many times, as nothing. Source: PKWARE APPNOTE.TXT, 4.3. */
const zipOfOne = (method: number, parts = 40): Uint8Array => {
  const data = Buffer.alloc(2 * 1024 * 1024);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(method, 8);
  local.writeUInt32LE(data.length, 18);
  const named = Array.from({ length: parts }, (_, index) => {
    const name = Buffer.from(`${index}.json`);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(method, 10);
    header.writeUInt32LE(data.length, 20);
    header.writeUInt16LE(name.length, 28);
    return Buffer.concat([header, name]);
  });
  const directory = Buffer.concat(named);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts, 8);
  end.writeUInt16LE(parts, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length + data.length, 16);
  return Buffer.concat([local, data, directory, end]);
};

/** What is said of files of which no description can be made. */
const refusalOf = async (files: ReturnType<typeof given>): Promise<string> => {
  const made = await oneDescription(files).catch((error: unknown) => error);
  if (!(made instanceof Problem)) throw new Error('nothing was refused', { cause: made });
  return [made.detail, ...made.findings.map(({ where, what }) => `${where}: ${what}`)].join(' | ');
};

describe('one description of several files, in the browser', () => {
  test('is that which the command line makes of them', async () => {
    await folder.write(FILES);
    const { text } = await folder.prepare('api.yaml');
    const made = await oneDescription(given(FILES));

    expect(JSON.parse(made.text)).toEqual(JSON.parse(text));
    expect(made.name).toBe('api.yaml with 3 more');
  });

  test.each([
    ['a zip archive', () => archive('api.zip', zipped(FILES))],
    ['a zip archive of their folder', () => archive('Api.ZIP', zipped(within('pets', FILES)))],
    ['a tar archive', () => archive('api.tar.gz', gzipSync(tarred(FILES)))],
    ['a tar archive by its short name', () => archive('api.tgz', gzipSync(tarred(FILES)))],
  ])('is the same of %s', async (_, files) => {
    const { text } = await oneDescription(given(FILES));

    expect((await oneDescription(files())).text).toBe(text);
  });

  test('is as it was written where it needs no other', async () => {
    const alone = 'openapi: 3.1.0 # mine\ninfo: {}\n';
    const made = await oneDescription(given({ 'a.yaml': alone, 'b.yaml': 'other: 1' }));

    expect(made).toEqual({ name: 'a.yaml', text: alone });
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['nothing but other files', { 'a.txt': 'hello' }, 'There is no JSON or YAML file among them.'],
    ['no description', { 'a.json': '{}', 'b.yaml': 'x: 1' }, 'None of the files describes an API'],
    [
      'a description that cannot be read',
      { 'a.json': '{"openapi": ' },
      'a.json cannot be read: Unexpected end of JSON input',
    ],
    [
      'two descriptions',
      { 'a.yaml': 'openapi: 3.1.0', 'b.yaml': 'swagger: "2.0"' },
      'Several of the files describe an API: a.yaml, b.yaml. Choose those of one API.',
    ],
    [
      'a reference to a file that is missing',
      { 'api.yaml': API },
      'api.yaml, GET /pets, answer 200: refers to "parts/answers.yaml#/Fine": there is no such file among them',
    ],
  ])('is refused of %s', async (_, files, said) => {
    expect(await refusalOf(given(files))).toContain(said);
  });

  test('takes the description above those that lie deeper', async () => {
    const files = { ...FILES, 'examples/old.yaml': 'openapi: 3.0.0' };

    expect((await oneDescription(given(files))).name).toBe('api.yaml with 3 more');
  });

  test.each([
    ['a zip archive', 'broken.zip', Buffer.from('PK no archive at all')],
    ['a tar archive', 'broken.tgz', Buffer.from('no archive at all')],
  ])('is refused of %s that is damaged', async (_, name, bytes) => {
    expect(await refusalOf(archive(name, bytes))).toContain('cannot be unpacked');
  });

  test.each([
    ['a zip archive', 'bomb.zip', () => zipped({ 'a.json': ' '.repeat(60 * 1024 * 1024) })],
    [
      'a tar archive',
      'bomb.tgz',
      () => gzipSync(tarred({ 'a.json': ' '.repeat(60 * 1024 * 1024) })),
    ],
  ])('is refused of %s that unpacks to more than 50 MB', async (_, name, bytes) => {
    expect(await refusalOf(archive(name, bytes()))).toContain('take more than 50 MB');
  });

  test.each([
    ['stored', 0],
    ['packed', 8],
  ])('is refused of a zip archive whose parts are %s over each other', async (_, method) => {
    expect(await refusalOf(archive('lies.zip', zipOfOne(method)))).toContain('cannot be unpacked');
  });

  test('is made below its folder, whatever slashes a path begins with', async () => {
    const { name } = await oneDescription(given({ '//%host/api.yaml': 'openapi: 3.0.3' }));

    expect(name).toBe('%host/api.yaml');
  });

  test('is refused where YAML aliases explode', async () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [a, a, a, a, a, a, a, a, a]'
        : `l${level}: &l${level} [${Array(9)
            .fill(`*l${level - 1}`)
            .join(', ')}]`,
    );
    const files = { 'a.yaml': API, 'parts/answers.yaml': levels.join('\n') };

    expect(await refusalOf(given(files))).toMatch(/answers\.yaml/);
  });
});

const within = (folderName: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folderName}/${path}`, text]));
