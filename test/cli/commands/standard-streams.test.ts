import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listening } from '../../support/target/listening.ts';
import { replaceFile, writeNew } from '../../../cli/files.ts';
import { aMachineFor } from '../../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const machine = await aMachineFor(SERVICE);
afterAll(() => machine.remove());

const folder = join(machine.folder, 'work');
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

const declaration = { name: 'Books', openapi_sha256: 'x', resources: [], prompts: [] };
const OPENAPI = 'openapi: 3.1.0\n';

/** A service with one server, `books`. */
const answered = (url: string): Response => {
  if (url.endsWith('/openapi')) return new Response(OPENAPI);
  if (url.endsWith('/declaration')) return Response.json({ declaration });
  return Response.json({ items: [{ slug: 'books' }] });
};

const hostedMcp = (args: readonly string[], input = '') =>
  machine.run(args, {
    input,
    environment: { HOSTED_MCP_TOKEN: 'hmt_token' },
    fetch: async (url) => answered(url),
  });

describe('export', () => {
  test('prints the declaration for -, and writes no file', async () => {
    const before = await readdir('.');
    const said = await hostedMcp(['export', '--out', '-']);

    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('  books:\n') });
    expect(said.errors).toBe('Not written: books/openapi.yaml. --out FILE writes them.\n');
    expect(await readdir('.')).toEqual(before);
  });

  test('leaves nothing where one of its files is there already', async () => {
    await mkdir(join(folder, 'books'));
    await writeFile(join(folder, 'books/openapi.yaml'), 'mine');
    const said = await hostedMcp(['export', 'books', '--out', join(folder, 'servers.yaml')]);

    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.errors).toContain('books/openapi.yaml is there already.');
    expect(await readdir(folder)).toEqual(['books']);
    expect(await readFile(join(folder, 'books/openapi.yaml'), 'utf8')).toBe('mine');
  });

  test('leaves nothing where a file cannot be written', async () => {
    await writeFile(join(folder, 'books'), 'no folder');
    const said = await hostedMcp(['export', 'books', '--out', join(folder, 'servers.yaml')]);

    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.errors).toMatch(/openapi\.yaml cannot be written: /);
    expect(await readdir(folder)).toEqual(['books']);
  });

  test('goes into the very file that a shell has made for it', async () => {
    const server = createServer(async ({ url = '' }, response) => {
      response.end(await answered(url).bytes());
    });
    const { url: origin, stop } = await listening(server);
    const program = join(import.meta.dirname, '../../../bin/hosted-mcp.ts');
    const url = `${origin}/v1`;
    const child = new Promise<void>((ended, failed) => {
      import('node:child_process').then(({ exec }) =>
        exec(
          `"${process.execPath}" --no-warnings "${program}" export --url ${url} > servers.yaml`,
          { cwd: folder, env: { ...process.env, HOSTED_MCP_TOKEN: 'hmt_token' } },
          (error) => (error ? failed(error) : ended()),
        ),
      );
    });
    await child.finally(stop);

    expect(await readFile(join(folder, 'servers.yaml'), 'utf8')).toMatch(
      /^# yaml-.*\nversion: 1\n/,
    );
    expect(await readFile(join(folder, 'books/openapi.yaml'), 'utf8')).toBe(OPENAPI);
    expect((await readdir(folder)).toSorted()).toEqual(['books', 'servers.yaml']);
  });
});

describe('standard input', () => {
  test('is a declaration, which then needs the name of its manager', async () => {
    const said = await hostedMcp(['validate', '--file', '-'], 'version: 1\nservers: {}\n');
    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('--manager') });

    const named = ['validate', '--file', '-', '--manager', 'me'];
    expect(await hostedMcp(named, 'version: 1\nservers: {}\n')).toMatchObject({
      code: 0,
      out: 'standard input declares 0 servers, and can be applied.\n',
    });
  });

  test('is read once', async () => {
    const twice = ['set', 'books', '--overrides', '-', '--overlay', '-'];
    const said = await hostedMcp(twice, '{}');

    expect(said).toMatchObject({ code: 2, errors: expect.stringContaining('read once') });
  });
});

describe('a file', () => {
  test('that is replaced is whole, and keeps its name where it is a link', async () => {
    const path = join(folder, 'plan.json');
    await writeFile(path, 'before');
    execFileSync('ln', ['-s', 'plan.json', join(folder, 'link')]);
    await replaceFile(join(folder, 'link'), 'after');

    expect(await readFile(path, 'utf8')).toBe('after');
    expect((await readdir(folder)).toSorted()).toEqual(['link', 'plan.json']);
  });

  test.each([0o600, 0o664])('that is replaced is for those who could read it, %o', async (mode) => {
    const path = join(folder, 'plan.json');
    await writeFile(path, 'before');
    await chmod(path, mode);
    await replaceFile(path, 'after');

    expect((await stat(path)).mode & 0o777).toBe(mode);
  });

  test('that is to be read by its owner alone is so, whoever could read the one before', async () => {
    const path = join(folder, 'config.json');
    await writeFile(path, 'before');
    await chmod(path, 0o644);
    await replaceFile(path, 'after', 0o600);

    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('that is none, such as /dev/null, is written to', async () => {
    await replaceFile('/dev/null', 'gone');
    expect(await readFile('/dev/null', 'utf8')).toBe('');
  });

  test('that is new is for its owner alone where it is to be', async () => {
    const path = join(folder, 'ada.json');
    await writeNew(new Map([[path, '{}']]), 0o600);
    await expect(writeNew(new Map([[path, '{}']]))).rejects.toMatchObject({ code: 'file_exists' });
    expect(await readdir(folder)).toEqual(['ada.json']);
  });
});
