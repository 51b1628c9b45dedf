import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from '@jest/globals';
import { aMachineFor } from '../support/cli/command-line.ts';
import { COMPILE_CACHE } from '../support/run/compile-cache.ts';

const PROGRAM = new URL('../../bin/hosted-mcp.mjs', import.meta.url).pathname;

const machine = await aMachineFor();
afterAll(() => machine.remove());

const started = (args: readonly string[]) =>
  spawn(process.execPath, [PROGRAM, ...args], {
    cwd: machine.folder,
    env: { PATH: process.env['PATH'], HOSTED_MCP_CONFIG: machine.configFile, ...COMPILE_CACHE },
  });

const said = async (args: readonly string[], input = '') => {
  const program = started(args);
  let [out, errors] = ['', ''];
  program.stdout.on('data', (chunk) => (out += chunk));
  program.stderr.on('data', (chunk) => (errors += chunk));
  // A program may end before it reads: then the pipe is closed, and its result tells.
  program.stdin.on('error', () => undefined);
  program.stdin.end(input);
  const [code] = await once(program, 'close');
  return { code, out, errors };
};

describe('the program hosted-mcp', () => {
  test('prints its help and ends with 0', async () => {
    expect(await said(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('usage: npx --no-install hosted-mcp COMMAND [options]'),
      errors: '',
    });
  });

  test('ends with the code of its failure', async () => {
    expect(await said(['ls'])).toEqual({
      code: 3,
      out: '',
      errors:
        'hosted-mcp: You are not signed in at http://127.0.0.1:8787/v1.\nSign in: npx --no-install hosted-mcp login. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.\n',
    });
  });

  test('reads standard input, and reaches for the service', async () => {
    const args = ['login', 'ada@example.com', '--password-stdin', '--url', 'http://127.0.0.1:1/v1'];

    expect(await said(args, 'kestrel umbrella fog\n')).toMatchObject({
      code: 5,
      errors: expect.stringContaining('http://127.0.0.1:1:'),
    });
  });

  test('does not wait for standard input that it does not need', async () => {
    const program = started(['ls']);
    const [code] = await once(program, 'exit');

    expect(code).toBe(3);
    program.stdin.destroy();
  });

  test('minds nobody who has seen enough of its output', async () => {
    const program = started(['--help']);
    let errors = '';
    program.stderr.on('data', (chunk) => (errors += chunk));
    program.stdout.destroy();
    program.stdin.end();
    const [code] = await once(program, 'close');

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });
});
