import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { newerCalls, OLDER_NODES } from '../support/older-node/nodes.ts';
import { COMPILE_CACHE } from '../support/run/compile-cache.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
/** Bytes of the file that is installed; docs/command-line.md says 460 KB. */
const MOST_BYTES = 500_000;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

let folder: string;
let tarball: string;
/** What is printed of how to install it. */
let lines: readonly string[];
let service: WholeService;
let owner: Person;

/** Runs a program with a home and settings of its own, with this Node first on its path. */
const started = (
  program: string,
  args: readonly string[],
  { input = '', ...more }: { readonly input?: string; readonly [name: string]: string } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      // Whatever asks for a package here is refused.
      npm_config_registry: 'http://127.0.0.1:9/',
      ...COMPILE_CACHE,
      ...more,
    };
    const child = execFile(program, args, { cwd: folder, env }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, errors }),
    );
    // A program may end before it reads: then the pipe is closed, and its result tells.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });

/** The files of a package as SHA256SUMS names them and as they are, and what is said of them. */
const sumsOf = async (at: string) => {
  const sums = await readFile(join(at, 'SHA256SUMS'), 'utf8');
  const found = await readdir(at, { recursive: true, withFileTypes: true });
  return {
    files: {
      named: sums
        .trim()
        .split('\n')
        .map((line) => line.slice(66))
        .toSorted(),
      there: found
        .filter((one) => one.isFile() && one.name !== 'SHA256SUMS')
        .map(({ parentPath, name }) => relative(at, join(parentPath, name)))
        .toSorted(),
    },
    check: () =>
      started('sh', ['-c', `cd '${at}' && sha256sum --quiet --check SHA256SUMS 2>/dev/null`]),
  };
};

const installed = () => join(folder, 'node_modules/hosted-mcp');
const hostedMcp = (args: readonly string[], more: Parameters<typeof started>[2] = {}) =>
  started(join(folder, 'node_modules/.bin/hosted-mcp'), args, more);

const operation = (operationId: string) => ({
  operationId,
  responses: { 200: { description: 'Fine.' } },
});
const PETSTORE = {
  openapi: '3.1.0',
  info: { title: 'Petstore', version: '1.0.0' },
  servers: [{ url: 'https://petstore.example.com' }],
  paths: { '/pets': { get: operation('listPets') }, '/owners': { $ref: 'owners.json' } },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-installed-'));
  service = await startWholeService();
  owner = await service.person();
  const packed = await started(process.execPath, [
    join(CHECKOUT, 'bin/package.mjs'),
    '--out',
    folder,
  ]);
  expect(packed).toMatchObject({ code: 0, errors: '' });
  [tarball = ''] = packed.out.split('\n');
  lines = packed.out.split('\n').slice(1);
  await writeFile(join(folder, 'petstore.json'), JSON.stringify(PETSTORE));
  await writeFile(join(folder, 'owners.json'), JSON.stringify({ get: operation('listOwners') }));
  const install = ['install', '--offline', '--no-audit', '--no-fund', tarball];
  expect(await started('npm', install)).toMatchObject({
    code: 0,
    out: expect.stringContaining('added 1 package'),
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe('the package', () => {
  test('holds the program and its papers, no test and nothing of the service', async () => {
    const files = await readdir(installed(), { recursive: true, withFileTypes: true });
    const names = files
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => relative(installed(), join(parentPath, name)));

    expect(names.filter((name) => !name.startsWith('bin/')).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'SHA256SUMS',
      'THIRD-PARTY-LICENSES.txt',
      'package.json',
      'provenance.json',
      'sbom.cdx.json',
    ]);
    expect(names.filter((name) => name.startsWith('bin/') && !name.endsWith('.mjs'))).toEqual([]);
    const sources = await Promise.all(
      names.map((name) => readFile(join(installed(), name), 'utf8')),
    );
    for (const strange of ['@aws-sdk/client-dynamodb', '@jest/globals', 'aws-cdk', CHECKOUT]) {
      expect(sources.filter((text) => text.includes(strange))).toEqual([]);
    }
    expect((await stat(tarball)).size).toBeLessThan(MOST_BYTES);
  });

  test('asks for nothing besides, and for a Node that people have', async () => {
    const { version } = JSON.parse(await readFile(join(CHECKOUT, 'package.json'), 'utf8'));
    const facts = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'));

    expect(facts).toMatchObject({ name: 'hosted-mcp', version, engines: { node: '>=20.0' } });
    expect(Object.keys(facts).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  });

  test('is installed by the lines that are printed, which refuse another file', async () => {
    const commands = lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());
    expect(commands[1]).toBe('npm install --global --ignore-scripts ./hosted-mcp-0.1.0.tgz');
    const check = commands[0] ?? '';
    expect(await started('sh', ['-ec', check])).toMatchObject({ code: 0, errors: '' });
    const more = { npm_config_prefix: join(folder, 'global'), npm_config_offline: 'true' };
    const path = `PATH="${join(folder, 'global/bin')}:$PATH"`;
    const said = await started('sh', ['-ec', [path, ...commands].join('\n')], more);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/OK[^]*\n0\.1\.0\n$/) });

    const other = await mkdtemp(join(tmpdir(), 'hosted-mcp-other-'));
    await writeFile(join(other, 'hosted-mcp-0.1.0.tgz'), 'another');
    expect((await started('sh', ['-ec', `cd ${other}; ${check}`])).code).toBe(1);
    await rm(other, { recursive: true });
  });

  test('calls no function by a name that the oldest Node has not', async () => {
    const files = await readdir(join(installed(), 'bin'));
    const found = await Promise.all(
      files.map(async (name) => {
        const text = await readFile(join(installed(), 'bin', name), 'utf8');
        return newerCalls(text).map((call) => `${name}: ${call}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  test('has the hash of each of its files, and tells which one was changed', async () => {
    const { files, check } = await sumsOf(installed());
    expect(files.named).toEqual(files.there);
    expect(await check()).toMatchObject({ code: 0, out: '' });
    const program = join(installed(), 'LICENSE');
    const text = await readFile(program, 'utf8');
    await writeFile(program, `${text} `);
    expect(await check()).toMatchObject({ code: 1, out: 'LICENSE: FAILED\n' });
    await writeFile(program, text);
  });

  test('says which commit it is made of', async () => {
    const facts = JSON.parse(await readFile(join(installed(), 'provenance.json'), 'utf8'));
    const { out } = await started('git', ['-C', CHECKOUT, 'rev-parse', 'HEAD']);
    expect(facts).toMatchObject({ name: 'hosted-mcp', version: '0.1.0', commit: out.trim() });
    const changes = await started('git', ['-C', CHECKOUT, 'status', '--porcelain']);
    expect(facts['modified'] === true).toBe(changes.out !== '');
  });

  test('lists the libraries that are in it, and no others', async () => {
    const [inside, beside] = await Promise.all([
      readFile(join(installed(), 'sbom.cdx.json'), 'utf8'),
      readFile(tarball.replace(/\.tgz$/, '.cdx.json'), 'utf8'),
    ]);
    expect(inside).toBe(beside);
    const bill = JSON.parse(inside);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    const listed: readonly string[] = bill.components.map(({ purl }: { purl: string }) => purl);
    // What a mark in the program shows to be there, or not.
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^pkg:npm\/%40aws-sdk\/client-lambda@/),
        expect.stringMatching(/^pkg:npm\/%40apidevtools\/swagger-parser@/),
        expect.stringMatching(/^pkg:npm\/yaml@/),
      ]),
    );
    expect(listed.join(' ')).not.toMatch(/jest|esbuild|oxlint|preact|handlebars|dynalite|cdk/);
    expect(JSON.stringify(bill)).not.toContain('pkg:npm/hosted-mcp');
    const licences = await readFile(join(installed(), 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) (\d\S*): /gm)].map(([, of, at]) => `${of}@${at}`);
    const components = bill.components.map((one: Record<string, unknown>) => one['bom-ref']);
    expect(components.toSorted()).toEqual(named.toSorted());
  });

  test('names the licence of every library in it', async () => {
    const text = await readFile(join(installed(), 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@apidevtools/swagger-parser', '@aws-sdk/client-lambda', 'js-yaml']) {
      expect(text).toContain(`${name} `);
    }
    expect(text).toContain('Permission is hereby granted, free of charge');
    expect(text).not.toContain(': undefined');
  });
});

describe('the installed command line', () => {
  test('tells its version', async () => {
    const { version } = JSON.parse(await readFile(join(CHECKOUT, 'package.json'), 'utf8'));
    expect(await hostedMcp(['--version'])).toEqual({ code: 0, out: `${version}\n`, errors: '' });
  });

  test('says on an older Node which one it needs', async () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })";
    const launcher = join(installed(), 'bin/hosted-mcp.mjs');
    const args = ['--import', `data:text/javascript,${older}`, launcher, '--version'];
    expect(await started(process.execPath, args)).toEqual({
      code: 1,
      out: '',
      errors:
        'hosted-mcp: Node 20.0 or newer is needed, this is 18.20.4: install it from https://nodejs.org.\n',
    });
  });

  test('is named in hints as it was started', async () => {
    const direct = await hostedMcp(['ls']);
    expect(direct).toMatchObject({ code: 3 });
    expect(direct.errors).toContain(
      '\nSign in: hosted-mcp login. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.\n',
    );
    expect((await hostedMcp(['--help'])).out).not.toContain('npx');
    const byNpx = await started('npx', ['--offline', '--no-install', 'hosted-mcp', 'ls']);
    expect(byNpx.errors).toContain(
      '\nSign in: npx --no-install hosted-mcp login. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.\n',
    );
  });

  test('signs in, checks a description of several files and publishes it', async () => {
    const login = ['login', owner.email, '--password-stdin', '--profile', 'here'];
    const named = [...login, '--url', service.baseUrl];
    expect(await hostedMcp(named, { input: owner.password })).toMatchObject({ code: 0 });
    const checked = await hostedMcp(['check', 'petstore.json']);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.out).toContain('It can be published as petstore.');
    expect(checked.out).toMatch(/^listOwners /m);
    expect(await hostedMcp(['deploy', 'petstore.json', '--slug', 'pets'])).toMatchObject({
      code: 0,
    });
    expect((await hostedMcp(['tools', 'pets'])).out).toContain('listPets');
  });

  test('reaches functions by the AWS SDK that it brings', async () => {
    const said = await hostedMcp(['admin', 'plan', owner.email, 'pro'], {
      HOSTED_MCP_DATA: service.dataFolder,
    });
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('is on the plan pro') });
  });

  test('knows no service of a checkout', async () => {
    const said = await hostedMcp(['admin', 'blocks']);
    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('HOSTED_MCP_DATA') });
  });
});

const [name, node, flags] = OLDER_NODES.at(-1)!;

describe(`the installed command line on ${name}`, () => {
  const onOlder = (args: readonly string[], more: Parameters<typeof started>[2] = {}) =>
    started(node, [...flags, join(installed(), 'bin/hosted-mcp.mjs'), ...args], more);
  const done = async (args: readonly string[], more = {}): Promise<string> => {
    const { code, out, errors } = await onOlder([...args, '--profile', 'older'], more);
    expect([args, code, code === 0 ? '' : errors]).toEqual([args, 0, '']);
    // Of Node, about what it has on trial.
    expect(errors).not.toContain('Warning');
    return out;
  };

  test('publishes, shows, compares, applies from a file and removes', async () => {
    const named = ['login', owner.email, '--password-stdin', '--url', service.baseUrl];
    await done(named, { input: owner.password });
    expect(await done(['check', 'petstore.json'])).toMatch(/^listOwners /m);
    await done(['deploy', 'petstore.json', '--slug', 'older']);
    expect(await done(['ls'])).toContain('older');
    expect(await done(['tools', 'older'])).toContain('listPets');
    const { paths: _, ...rest } = PETSTORE;
    const less = { ...rest, paths: { '/pets': { get: operation('listPets') } } };
    await writeFile(join(folder, 'less.json'), JSON.stringify(less));
    expect(await done(['diff', 'older', 'less.json'])).toContain('listOwners');
    await writeFile(
      join(folder, 'servers.yaml'),
      'version: 1\nservers:\n  declared:\n    openapi: less.json\n    name: Declared\n',
    );
    expect((await onOlder(['plan', '--profile', 'older'])).code).toBe(6);
    await done(['apply', '--yes']);
    await done(['export', 'declared', '--out', 'exported.yaml']);
    expect(await readFile(join(folder, 'exported.yaml'), 'utf8')).toContain('name: Declared');
    await done(['rm', 'older', '--yes']);
  });

  test('says what is wrong, and ends as on every other', async () => {
    await writeFile(join(folder, 'wrong.yaml'), 'openapi: 3.1.0\npaths: [\n');
    const said = await onOlder(['check', 'wrong.yaml']);
    expect(said.code).toBe((await hostedMcp(['check', 'wrong.yaml'])).code);
    expect(said.errors).not.toMatch(/^ {4}at /m);
    expect(await onOlder(['admin', 'blocks'])).toMatchObject({ code: 2 });
  });
});

test('npm pack in the checkout, which would pack what cannot run, says what to do instead', async () => {
  const said = await started('npm', ['pack', CHECKOUT, '--pack-destination', folder]);
  expect(said.code).not.toBe(0);
  expect(said.errors).toContain('npm run package packs the command line');
});
