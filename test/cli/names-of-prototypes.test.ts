import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { managerOf } from '../../cli/declared/manager.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';
import { fetchFrom } from '../support/service/service-fetch.ts';

const SERVICE = 'https://mcp.example.com/v1';

let service: TestManagement;
let owner: Owner;
let machine: TestMachine;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 1000 } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  owner = await service.owner({ plan: 'pro' });
  machine = await aMachineFor(SERVICE);
});

const run = (line: string, environment: Readonly<Record<string, string>> = {}) =>
  machine.run(line.split(' '), {
    fetch: fetchFrom(service),
    environment: { HOSTED_MCP_TOKEN: owner.token, ...environment },
  });

const written = async (name: string, text: string): Promise<string> => {
  const path = join(machine.folder, name);
  await writeFile(path, text);
  return path;
};

const described = (name: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Names', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/a': { get: { operationId: name, responses: {} } } },
  });

/** What every object has from its prototype, as far as a slug, a tool and a prompt can be called that. */
const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

describe('names that every object has, on the command line', () => {
  test.each(NAMES)('%s is a server, a tool, a resource and a prompt in a file', async (name) => {
    await written('api.json', described(name));
    const slug = name.toLowerCase();
    const file = await written(
      'servers.yaml',
      `version: 1
servers:
  ${slug}:
    openapi: api.json
    resources:
      - { name: ${name}, uri: "docs://a", content: A }
    prompts:
      - { name: ${name}, template: "{{${name}}}", arguments: [{ name: ${name} }] }
    overrides:
      ${name}: { description: Does it. }
    request_headers: { ${name}: a }
`,
    );

    expect(await run(`validate --file ${file}`)).toMatchObject({ code: 0 });
    expect(await run(`plan --file ${file}`)).toMatchObject({ code: 6 });
    expect(await run(`apply --file ${file} --yes`)).toMatchObject({ code: 0 });
    expect(await run(`plan --file ${file}`)).toMatchObject({ code: 0 });
    await mkdir(join(machine.folder, 'out'));
    const out = join(machine.folder, 'out/servers.yaml');
    expect(await run(`export ${slug} --out ${out}`)).toMatchObject({ code: 0 });

    const manager = managerOf(file);
    expect(await run(`plan --file ${out} --manager ${manager}`)).toMatchObject({ code: 0 });
    expect((await run(`tools ${slug}`)).out).toContain(name);
  });

  test.each([...NAMES, '__proto__'])(
    '%s is no variable that is set, where a file names it',
    async (name) => {
      await written('api.json', described('a'));
      const file = await written(
        'servers.yaml',
        `version: 1
servers:
  named-${name.toLowerCase().replaceAll('_', '')}:
    openapi: api.json
    credentials:
      main: { type: bearer, token: { env: ${name} } }
`,
      );

      const { code, errors } = await run(`apply --file ${file} --yes`);
      expect({ code, errors }).toEqual({
        code: 1,
        errors: expect.stringContaining(`${name} is not set`),
      });
      expect(await run(`apply --file ${file} --yes`, { [name]: 'sesame-0123' })).toMatchObject({
        code: 0,
      });
    },
  );

  test.each([...NAMES, '__proto__'])('%s is no command, option or server', async (name) => {
    for (const line of [name, `tool ${name}`, `ls --${name}`, `show ${name}`, `tool ls ${name}`]) {
      const { code, errors } = await run(line);
      expect(code).toBeGreaterThan(0);
      expect(errors).not.toMatch(/is not a function|Cannot read|native code|internal/i);
    }
  });
});
