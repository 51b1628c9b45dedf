import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { managerOf } from '../../cli/declared/manager.ts';
import type { World } from '../../cli/world.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { anHttpServer } from '../support/target/target-server.ts';
import { fetchFrom } from '../support/service/service-fetch.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';

const SERVICE = 'https://mcp.example.com/v1';
const CANARY = 'canary-4711-secret';

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
  await written('api.json', JSON.stringify(aDescription()));
});

/** Everything that the command line sent. */
let sent: readonly string[] = [];
let changes = 0;
/** Done once a plan has been answered. */
let afterPlan: (() => void) | undefined;
/** How many requests are told to come again. */
let busy = 0;

/** The server whose changes are refused. */
let refused: string | undefined;

/** The management function in place of the network. */
const toService: World['fetch'] = async (url, request) => {
  const { method = 'GET' } = request;
  const { pathname } = new URL(url);
  if (busy > 0 && method !== 'GET') {
    busy -= 1;
    const problem = { code: 'rate_limited', detail: 'Others are still being compiled.' };
    return Response.json(problem, { status: 429, headers: { 'retry-after': '0' } });
  }
  if (method === 'PUT' && refused !== undefined && pathname.includes(refused)) {
    return Response.json({ code: 'conflict', detail: 'Somebody changes it.' }, { status: 409 });
  }
  sent = [...sent, `${method} ${pathname}`];
  if (method !== 'GET' && !pathname.endsWith('/plan')) changes += 1;
  const answer = await fetchFrom(service)(url, request);
  if (pathname.endsWith('/plan')) afterPlan?.();
  return answer;
};

const run = (line: string, environment: Record<string, string> = {}) => {
  [sent, changes] = [[], 0];
  return machine.run(line.split(' '), {
    fetch: toService,
    environment: { HOSTED_MCP_TOKEN: owner.token, ...environment },
  });
};

const at = (name: string): string => join(machine.folder, name);
const written = (name: string, text: string): Promise<void> => writeFile(at(name), text);

let counted = 0;
/** Two servers; their names are of this test alone. */
const declaring = async (more = ''): Promise<readonly [file: string, one: string, two: string]> => {
  counted += 1;
  const [one, two] = [`orders-${counted}`, `stock-${counted}`];
  const text = `version: 1
defaults:
  openapi: api.json
servers:
  ${one}:
    name: Orders
    access: { mode: allow_list, emails: [ada@example.com] }
    credentials:
      main: { type: bearer, token: { env: ORDERS_TOKEN } }
    resources:
      - { name: guide, uri: "docs://guide", file: guide.md }
    prompts:
      - { name: ask, file: ask.txt, arguments: [{ name: topic }] }
  ${two}:
    operations: { include: [listPets] }
${more}`;
  await written('guide.md', '# Guide');
  await written('ask.txt', 'About {{topic}}');
  await written('servers.yaml', text);
  return [at('servers.yaml'), one, two];
};
const SECRET = { ORDERS_TOKEN: CANARY };

describe('servers in a file', () => {
  test('are planned, applied, and then there is nothing to do', async () => {
    const [file, one, two] = await declaring();
    const planned = await run(`plan --file ${file}`);
    expect(planned).toMatchObject({ code: 6 });
    expect(planned.out).toContain(`+ ${one}`);
    expect(planned.out).toContain('is new, 1 tool');
    expect(changes).toBe(0);

    const applied = await run(`apply --file ${file} --yes`, SECRET);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.out).toContain(`${two} is at version 1`);

    expect(await run(`plan --file ${file}`)).toMatchObject({ code: 0 });
    expect(await run(`apply --file ${file} --yes`)).toMatchObject({ code: 0 });
    expect(changes).toBe(0);
    expect((await run(`credential ls ${one}`)).out).toContain('bearer');
  });

  test('change with it, and the plan says what and which tools', async () => {
    const [file, one, two] = await declaring();
    await run(`apply --file ${file} --yes`, SECRET);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace('[listPets]', '[listPets, getPet]').replace('Orders', 'All orders'),
    );
    await written('guide.md', '# Another guide');

    const planned = await run(`plan --file ${file}`);
    expect(planned.out).toMatch(/~ name Orders → All orders/);
    expect(planned.out).toMatch(/~ resources\.guide/);
    expect(planned.out).toMatch(/\+ getPet/);
    const markdown = await run(`plan --file ${file} --markdown`);
    expect(markdown.out).toContain('```diff\n~ ');
    expect(await run(`apply --file ${file} --yes`)).toMatchObject({ code: 0 });
    expect((await run(`show ${two}`)).out).toMatch(/Tools\s+2/);
    const guide = await service.call('GET', `/deployments/${one}/resources/guide`, { as: owner });
    expect(guide.body['content']).toBe('# Another guide');
  });

  test('are told with places where something is wrong, all at once, and nothing is changed', async () => {
    const [file] = await declaring('    acess: { mode: owner }\n    tool_mode: serch\n');
    await writeFile(
      file,
      (await readFile(file, 'utf8'))
        .replace('{ env: ORDERS_TOKEN }', CANARY)
        .replace('guide.md', 'no.md'),
    );
    const first = await run(`apply --file ${file} --yes`);
    expect(first).toMatchObject({ code: 1 });
    expect(first.errors).toMatch(/servers\.yaml:9:29.*a secret in the file/s);
    expect(first.errors).toMatch(/servers\.yaml:11:\d+.*no\.md cannot be read/s);
    expect(first.errors).not.toContain(CANARY);

    await writeFile(
      file,
      (await readFile(file, 'utf8'))
        .replace(CANARY, '{ env: ORDERS_TOKEN }')
        .replace('no.md', 'guide.md'),
    );
    const second = await run(`validate --file ${file}`);
    expect(second).toMatchObject({ code: 1 });
    expect(second.errors).toMatch(/servers\.yaml:16:5.*Did you mean `access`/s);
    expect(second.errors).toMatch(/servers\.yaml:17:5.*tool_mode/s);
    expect(changes).toBe(0);
  });

  test.each([
    ['no YAML', 'version: 1\nservers: [', /:2:\d+/],
    [
      'aliases',
      'version: 1\nservers: { one-two: &a { openapi: x }, three: *a }',
      /:2:47: an alias/,
    ],
    ['another version', 'version: 2\nservers: {}', /version: 1/],
    ['a member that there is not', 'version: 1\nserver: {}\nservers: {}', /Did you mean `servers`/],
    ['no slug', 'version: 1\nservers: { No: { openapi: x } }', /no slug/],
    [
      'two of one slug',
      'version: 1\nservers: { aaa: {}, aaa: {} }',
      /:2:21: a key that stands there already/,
    ],
    ['no description', 'version: 1\nservers: { aaa: { name: A } }', /`openapi` is missing/],
    ['nothing', '', /no declaration/],
  ])('are refused for %s', async (_, text, what) => {
    await written('servers.yaml', text);
    const said = await run(`plan --file ${at('servers.yaml')}`);
    expect(said.code).toBe(1);
    expect(said.errors).toMatch(what);
    expect(sent).toEqual([]);
  });

  test('need their secrets once, from the environment, and say which is not there', async () => {
    const [file, one] = await declaring();
    const said = await run(`apply --file ${file} --yes`);
    expect(said.code).toBe(1);
    expect(said.errors).toMatch(/servers\.yaml:9:29.*ORDERS_TOKEN is not set/s);
    expect(await run(`apply --file ${file} --yes`, SECRET)).toMatchObject({ code: 0 });
    expect(await run(`apply --file ${file} --yes --send-secrets`, SECRET)).toMatchObject({
      code: 0,
    });
    expect(sent).toContain(`PUT /v1/mcp-management/deployments/${one}/declaration`);
    for (const line of service.lines) expect(JSON.stringify(line)).not.toContain(CANARY);
  });

  test('wait for a moment where the service is busy with others of theirs', async () => {
    const [file] = await declaring();
    busy = 5;
    expect(await run(`apply --file ${file} --yes`, SECRET)).toMatchObject({ code: 0 });
    expect(busy).toBe(0);
  });

  test('are applied as they were reviewed, or not at all', async () => {
    const [file, one] = await declaring();
    await run(`plan --file ${file} --out ${at('plan.json')}`);
    const reviewed = await readFile(at('plan.json'), 'utf8');
    expect(reviewed).not.toContain('Guide');
    await written('guide.md', '# Slipped in');
    const late = await run(`apply --file ${file} --plan ${at('plan.json')}`, SECRET);
    expect(late).toMatchObject({ code: 1 });
    expect(late.errors).toContain(`${one} changed since this plan was made.`);
    await written('guide.md', '# Guide');
    const said = await run(`apply --file ${file} --plan ${at('plan.json')}`, SECRET);
    expect(said).toMatchObject({ code: 0 });
  });

  test('are made of what an address said when they were planned, or not at all', async () => {
    const safe = JSON.stringify(aDescription());
    let said = safe;
    await using api = await anHttpServer((_, response) => response.end(said));
    const [file, one] = await declaring();
    const url = `${api.url}/openapi.json`;
    await writeFile(
      file,
      `version: 1\nservers:\n  ${one}:\n    name: Orders\n    openapi: { url: "${url}" }\n`,
    );
    await run(`plan --file ${file} --out ${at('plan.json')}`);
    const { servers } = JSON.parse(await readFile(at('plan.json'), 'utf8')) as {
      readonly servers: readonly { readonly fetched?: readonly { readonly url: string }[] }[];
    };
    expect(servers[0]?.fetched).toMatchObject([{ url }]);

    said = safe.replace('listPets', 'wipe');
    const reviewed = await run(`apply --file ${file} --plan ${at('plan.json')}`);
    expect(reviewed).toMatchObject({ code: 1 });
    expect(reviewed.errors).toContain(`${one} changed since this plan was made.`);
    expect(reviewed.errors).toContain(url);
    expect(changes).toBe(0);

    // Between the plan that apply itself makes and what it does.
    said = safe;
    afterPlan = () => {
      said = safe.replace('listPets', 'wipe');
    };
    const late = await run(`apply --file ${file} --yes`);
    afterPlan = undefined;
    expect(late).toMatchObject({ code: 1 });
    expect(late.errors).toContain(url);
    expect((await run('ls')).out).not.toContain(one);

    said = safe;
    expect(await run(`apply --file ${file} --plan ${at('plan.json')}`)).toMatchObject({ code: 0 });
  });

  test('of which one cannot be changed are told in one JSON document', async () => {
    const [file, one, two] = await declaring();
    refused = two;
    const { code, out } = await run(`apply --file ${file} --yes --json`, SECRET);
    refused = undefined;

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      applied: [{ slug: one, version: 1 }],
      removed: [],
      error: { code: 'not_applied', findings: [{ what: expect.stringContaining('Somebody') }] },
    });
  });

  test('that are not there any more go only when that is said, and protected ones never', async () => {
    const [file, one, two] = await declaring('    protected: true\n');
    await run(`apply --file ${file} --yes`, SECRET);
    await writeFile(file, 'version: 1\nservers: {}\n');
    const planned = await run(`plan --file ${file}`);
    expect(planned.out).toContain('--prune removes it');
    await run(`apply --file ${file} --yes`);
    expect((await run('ls')).out).toContain(one);
    const pruned = await run(`apply --file ${file} --yes --prune`);
    expect(pruned.out).toContain(`${one} is removed.`);
    const { out } = await run('ls');
    expect(out).not.toContain(one);
    expect(out).toContain(two);
  });

  test('are changed by their file alone, until they are released', async () => {
    const [file, one] = await declaring();
    await run(`apply --file ${file} --yes`, SECRET);
    const refused = await run(`set ${one} --name Mine --yes`);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.errors).toContain(managerOf(file));
    expect(refused.errors).toContain('release');
    expect(await run(`set ${one} --name Mine --yes --override-manager`)).toMatchObject({ code: 0 });
    expect((await run(`plan --file ${file}`)).out).toMatch(/~ name Mine → Orders/);
    expect((await run(`release ${one}`)).out).toContain(`${one} is no longer managed by a file.`);
    const again = await run(`release ${one} --json`);
    expect([again.code, again.json()]).toMatchObject([1, { error: { code: 'not_managed' } }]);
    expect(await run(`set ${one} --name Mine --yes`)).toMatchObject({ code: 0 });
    const notTaken = await run(`apply --file ${file} --yes`);
    expect(notTaken).toMatchObject({ code: 1 });
    expect(notTaken.errors).toContain(`${one} exists, and no file manages it.`);
    expect(notTaken.errors).toContain(`apply --file ${file} --adopt`);
    expect(await run(`apply --file ${file} --yes --adopt`)).toMatchObject({ code: 0 });
  });

  test('are planned as what they are where another file manages them, and nothing is changed', async () => {
    const [file, one, two] = await declaring();
    await run(`apply --file ${file} --yes`, SECRET);
    await run(`release ${two}`);
    const other = at('other.yaml');
    await writeFile(other, (await readFile(file, 'utf8')).replaceAll('Orders', 'Mine'));
    const planned = await run(`plan --file ${other}`);
    expect(planned).toMatchObject({ code: 6 });
    expect(planned.out).toContain(`is managed by ${managerOf(file)}: apply is refused`);
    const applied = await run(`apply --file ${other} --yes --adopt`, SECRET);
    expect([applied.code, changes]).toEqual([1, 0]);
    expect(applied.errors).toContain(
      `${one} is managed by ${managerOf(file)}. Nothing is changed.`,
    );
    expect(applied.errors).toContain(`hosted-mcp release ${one}`);
  });

  test('are planned alike for people and for programs, where no file manages them yet', async () => {
    const [file, one, two] = await declaring();
    await run(`apply --file ${file} --yes`, SECRET);
    await run(`release ${one}`);
    const actions = (json: unknown) =>
      (json as { servers: { slug: string; action: string }[] }).servers.map((server) => [
        server.slug,
        server.action,
      ]);

    expect(actions((await run(`plan --file ${file} --json`)).json())).toEqual([
      [one, 'adopt'],
      [two, 'same'],
    ]);
    const shown = await run(`plan --file ${file}`);
    expect(shown).toMatchObject({ code: 6 });
    expect(shown.out).toContain(`1 server of 2 differs from ${file}.`);
  });

  test('are exported as they are, and what is exported changes nothing', async () => {
    const [file, one, two] = await declaring();
    await run(`apply --file ${file} --yes`, SECRET);
    await mkdir(at('out'));
    const out = at('out/servers.yaml');
    expect(await run(`export --out ${out}`)).toMatchObject({ code: 0 });
    const text = await readFile(out, 'utf8');
    expect(text).toContain('keep: true');
    expect(text).not.toContain(CANARY);
    expect(await readFile(at(`out/${one}/resources/guide`), 'utf8')).toBe('# Guide');
    expect(await run(`export --out ${out}`)).toMatchObject({ code: 1 });

    const manager = `--manager ${managerOf(file)}`;
    const planned = await run(`plan --file ${out} ${manager}`);
    expect(planned.out).toContain(`  ${two}`);
    expect(planned).toMatchObject({ code: 0 });
  });
});

describe('the examples', () => {
  const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;

  test('of a file are applied as they are, and then there is nothing to do', async () => {
    const file = `${EXAMPLES}servers.yaml`;
    expect(await run(`plan --file ${file}`)).toMatchObject({ code: 6 });
    const applied = await run(`apply --file ${file} --yes`, { BOOKSHOP_TOKEN: CANARY });
    expect(applied).toMatchObject({ code: 0 });
    expect(await run(`plan --file ${file}`)).toMatchObject({ code: 0 });
  });

  test('of a pipeline name commands, options and variables that there are', async () => {
    const workflow = parse(await readFile(`${EXAMPLES}github-actions/mcp-servers.yml`, 'utf8')) as {
      readonly jobs: Record<string, { readonly steps: readonly { readonly run?: string }[] }>;
    };
    const lines = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run: line = '' }) => /^hosted-mcp ([^>|]*)/.exec(line)?.[1]?.trim() ?? []),
    );
    expect(lines).toEqual(['plan --markdown', 'apply --yes']);
    const [file] = await declaring();
    for (const line of lines) {
      expect([0, 6]).toContain((await run(`${line} --file ${file}`, SECRET)).code);
    }
  });
});

describe('the name of a declaration', () => {
  test.each([
    'https://github.com/acme/orders.git',
    'https://ada:token@github.com/acme/orders',
    'git@github.com:acme/orders.git',
    'ssh://git@github.com/acme/orders.git',
  ])('is the same for each address of its repository: %s', async (url) => {
    await mkdir(at('.git'));
    await mkdir(at('deploy'));
    await written(
      '.git/config',
      `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`,
    );
    expect(managerOf(at('deploy/servers.yaml'))).toBe('github.com/acme/orders:deploy/servers.yaml');
  });
});
