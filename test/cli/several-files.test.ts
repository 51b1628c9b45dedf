import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;

const FILES = {
  'api.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { responses: { 200: { $ref: parts/answers.yaml#/Fine } } }
`,
  'parts/answers.yaml': 'Fine: { description: fine }\n',
  'merged.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { responses: { 200: { $ref: parts/merged.yaml#/Fine } } }
`,
  'parts/merged.yaml': 'Base: &base { description: fine }\nFine: { <<: *base }\n',
  'broken.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { sumary: All pets, responses: { 200: { $ref: gone.yaml } } }
`,
  'slips.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { sumary: All pets, responses: {} }
`,
  'repeated.yaml': `openapi: 3.0.3
info: { title: Pets, version: '1', license: { nam: MIT, name: MIT } }
paths:
  /pets: { get: { sumary: All pets, responses: { 200: { description: fine } } } }
  /dogs: { get: { sumary: All dogs, responses: { 200: { description: fine } } } }
  /cats: { get: { sumary: All cats, responses: { 200: { description: fine } } } }
`,
};

let machine: TestMachine;
beforeEach(async () => {
  machine = await aMachineFor(SERVICE);
  const file = settingsFile({
    environment: { HOSTED_MCP_CONFIG: machine.configFile },
    home: machine.folder,
  });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
  await mkdir(join(machine.folder, 'parts'));
  for (const [name, text] of Object.entries(FILES)) {
    await writeFile(join(machine.folder, name), text);
  }
});
afterEach(() => machine.remove());

/** Runs a command at a service that takes everything, and has a deployment if the line names one. */
const running = async (line: string) => {
  const sent: unknown[] = [];
  const said = await machine.run(line.replaceAll('FOLDER', machine.folder).split(' '), {
    now: NOON,
    fetch: async (url, { body, headers }) => {
      const isPacked = new Headers(headers).get('content-type') === 'application/gzip';
      if (isPacked) sent.push(JSON.parse(gunzipSync(body as Uint8Array).toString()));
      const answer = url.includes('/tools') ? { items: [{ name: 'getPets' }] } : { slug: 'pets' };
      return new Response(JSON.stringify(answer), { headers: { etag: '"1"' } });
    },
  });
  return { ...said, sent };
};

const BUNDLED = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { responses: { 200: { $ref: '#/components/responses/Fine' } } } } },
  components: { responses: { Fine: { description: 'fine' } } },
};

const SLIP =
  'at /paths/~1pets/get: must NOT have additional properties (sumary). It violates the OpenAPI specification; --strict refuses it.';

describe('deploying a description of several files', () => {
  test.each(['', ' --slug pets', ' --slug pets --name Pets'])(
    'sends one document, and names the files: deploy FILE%s',
    async (options) => {
      const { sent, errors, code } = await running(`deploy FOLDER/api.yaml${options}`);

      expect(sent).toEqual([expect.objectContaining({ openapi: JSON.stringify(BUNDLED) })]);
      expect(errors).toContain('Bundled into one: parts/answers.yaml\n');
      expect(code).toBe(0);
    },
  );

  test('sends what merge keys make of the files', async () => {
    const { sent, code } = await running('deploy FOLDER/merged.yaml');

    expect(sent).toEqual([expect.objectContaining({ openapi: JSON.stringify(BUNDLED) })]);
    expect(code).toBe(0);
  });

  test('names the files in its JSON', async () => {
    const said = await running('deploy FOLDER/api.yaml --json');

    expect(said.json()).toEqual({ slug: 'pets', bundled: ['parts/answers.yaml'] });
    expect(said.errors).toBe('');
  });

  test('ends with 1, and sends nothing, where a file is missing', async () => {
    const { sent, errors, code } = await running('deploy FOLDER/broken.yaml');

    expect(sent).toEqual([]);
    expect(code).toBe(1);
    expect(errors).toBe(
      'hosted-mcp: The description refers to what is not there.\n' +
        '  at broken.yaml#/paths/~1pets/get/responses/200: refers to "gone.yaml": there is no such file.\n',
    );
  });

  test('reads files below the folder that --root names', async () => {
    const name = 'parts/api.yaml';
    const text = FILES['api.yaml'].replace('parts/', '../parts/');
    await writeFile(join(machine.folder, name), text);
    const [inside, outside] = [
      await running(`deploy FOLDER/${name} --root FOLDER`),
      await running(`deploy FOLDER/${name} --root FOLDER/gone`),
    ];

    expect(inside.sent).toEqual([{ openapi: JSON.stringify(BUNDLED) }]);
    expect(outside.errors).toContain('gone cannot be read: no such file or directory.');
    expect(outside.sent).toEqual([]);
  });

  test.each(['--root .', '--strict', '--fetch-refs'])(
    'does not take %s for a URL, which the service reads',
    async (option) => {
      const { errors, code } = await running(`deploy https://pets.example/api.yaml ${option}`);

      expect(errors).toContain('are for files: a URL is read by the service');
      expect(code).toBe(2);
    },
  );
});

describe('deploying a description that violates the OpenAPI specification', () => {
  test('warns of each place', async () => {
    const { sent, errors, code } = await running('deploy FOLDER/slips.yaml');

    expect(sent).toEqual([{ openapi: FILES['slips.yaml'] }]);
    expect(errors).toContain(`2 warnings:\n  ${SLIP}\n`);
    expect(code).toBe(0);
  });

  test('warns of a kind of flaw that stands in many places once, with the first of them', async () => {
    const { errors } = await running('deploy FOLDER/repeated.yaml');

    const [, title, ...lines] = /(\d+ warnings?:)\n((?: {2}.*\n)+)/.exec(errors) ?? [];
    const told = lines.join('').trimEnd().split('\n');
    expect(title).toBe('1 warning:');
    expect(told).toEqual([
      '  at /info/license and 3 other places: must NOT have additional properties (nam, sumary). It violates the OpenAPI specification; --strict refuses it.',
    ]);
    const all = (await running('deploy FOLDER/repeated.yaml --json')).json();
    expect(all).toMatchObject({ openapi_findings: { length: 4 } });
  });

  test('names each place in its JSON', async () => {
    expect((await running('deploy FOLDER/slips.yaml --json')).json()).toMatchObject({
      slug: 'pets',
      openapi_findings: [
        { where: '/paths/~1pets/get', what: 'must NOT have additional properties (sumary)' },
        { where: '/paths/~1pets/get/responses' },
      ],
    });
  });

  test('is refused with --strict, each fault with its place', async () => {
    const { sent, errors, code } = await running('deploy FOLDER/slips.yaml --strict');

    expect(sent).toEqual([]);
    expect(code).toBe(1);
    expect(errors).toBe(
      'hosted-mcp: The description violates the OpenAPI specification.\n' +
        '  at /paths/~1pets/get: must NOT have additional properties (sumary).\n' +
        '  at /paths/~1pets/get/responses: must NOT have fewer than 1 properties.\n',
    );
  });

  test('is in the report of the tools', async () => {
    const { out } = await running('tools pets --report --description FOLDER/slips.yaml');

    expect(out).toContain(
      'Violations of the OpenAPI specification\n' +
        '  at /paths/~1pets/get: must NOT have additional properties (sumary).\n',
    );
  });

  test('is in the report only', async () => {
    const { errors, code } = await running('tools pets --description FOLDER/slips.yaml');

    expect(errors).toContain('--description wants --report.');
    expect(code).toBe(2);
  });
});

describe('deploying a description that follows the OpenAPI specification', () => {
  test('warns of nothing, with --strict too', async () => {
    const { sent, errors, code } = await running('deploy FOLDER/api.yaml --strict');

    expect(sent).toHaveLength(1);
    expect(errors).not.toContain('warning');
    expect(code).toBe(0);
  });

  test('is not possible with --strict where it cannot be checked', async () => {
    await writeFile(
      join(machine.folder, 'new.yaml'),
      'openapi: 3.2.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n',
    );
    const { sent, errors, code } = await running('deploy FOLDER/new.yaml --strict');

    expect(sent).toEqual([]);
    expect(code).toBe(1);
    expect(errors).toContain('swagger-parser does not know OpenAPI 3.2.0');
  });
});
