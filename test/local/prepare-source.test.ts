import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WantedPublication } from '../../local/run/options.ts';
import { prepareSource } from '../../local/run/prepare-source.ts';
import { readSource } from '../../local/run/publish.ts';
import { StartRefused } from '../../local/run/start-refused.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-source-'));
  await mkdir(join(folder, 'parts'));
});
afterEach(() => rm(folder, { recursive: true }));

const DESCRIPTION = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: { /pets: { get: { responses: { 200: { $ref: parts/answers.yaml#/Fine } } } } }
`;

/** What npm start reads of a description. */
const prepared = async (text: string, options: Partial<WantedPublication> = {}) => {
  const file = join(folder, 'api.yaml');
  await writeFile(file, text);
  const wanted: WantedPublication = {
    source: { file },
    slug: undefined,
    authMethod: 'none',
    apiBaseUrl: undefined,
    include: [],
    exclude: [],
    ...options,
  };
  return prepareSource(wanted, await readSource(wanted));
};

describe('starting with a description of several files', () => {
  test('publishes one document, and names the files', async () => {
    await writeFile(join(folder, 'parts/answers.yaml'), 'Fine: { description: fine }\n');
    const { source, bundled, findings } = await prepared(DESCRIPTION);

    expect(JSON.parse('openapi' in source ? source.openapi : '')).toMatchObject({
      components: { responses: { Fine: { description: 'fine' } } },
    });
    expect(bundled).toEqual(['parts/answers.yaml']);
    expect(findings).toEqual([]);
  });

  test('ends with the place of each file that is missing', async () => {
    const refused = prepared(DESCRIPTION);

    await expect(refused).rejects.toThrow(StartRefused);
    await expect(refused).rejects.toThrow(
      'api.yaml: The description refers to what is not there.\n' +
        '  at api.yaml#/paths/~1pets/get/responses/200: refers to "parts/answers.yaml#/Fine": there is no such file.',
    );
  });
});

describe('starting with a description that violates the OpenAPI specification', () => {
  const slip = DESCRIPTION.replace('get:', 'sumary: x, get:').replace(
    /\$ref: [^ ]*/,
    'description: x',
  );

  test('is possible, and reports the violations', async () => {
    expect((await prepared(slip)).findings).toEqual([
      { where: '/paths/~1pets', what: 'must NOT have additional properties (sumary)', hint: '' },
    ]);
  });

  test('is refused with --strict', async () => {
    await expect(prepared(slip, { strict: true })).rejects.toThrow(
      'api.yaml: The description violates the OpenAPI specification.\n  at /paths/~1pets: must NOT have',
    );
  });
});

test('a description at an address is left to the service to read', async () => {
  const wanted = { url: 'https://pets.example/api.yaml' };

  expect(await prepared('', { source: wanted })).toEqual({
    source: { openapiUrl: wanted.url },
    bundled: [],
    findings: [],
  });
});
