import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Role = 'server' | 'authorization';

/** What a scenario of the suite found, by its name. One that broke off found nothing. */
export type Outcomes = ReadonlyMap<string, readonly Check[]>;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const PROGRAM = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'),
);

/** The names of all scenarios that the suite has. */
export const scenariosOf = async (role: Role): Promise<readonly string[]> => {
  const child = start(['list', `--${role}`]);
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return [...printed.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
};

/**
 * Runs scenarios of the suite in a process of its own.
 *
 * @param onLine - is told what the suite prints, as it prints it; the suite ends if it fails
 */
export const runSuite = async (
  role: Role,
  args: readonly string[],
  onLine: (line: string) => Promise<void> = () => Promise.resolve(),
): Promise<Outcomes> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-suite-'));
  try {
    const child = start([role, ...args, '--output-dir', folder]);
    const reactions: Promise<void>[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      const reaction = onLine(line);
      reaction.catch(() => child.kill());
      reactions.push(reaction);
    });
    await once(child, 'close');
    await Promise.all(reactions);
    return await outcomesIn(folder, FOLDER_START[role]);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The process, on this Node, in an environment that names nobody. */
const start = (args: readonly string[]) => {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.setEncoding('utf8');
  return child;
};

/** What stands before a scenario's name in that of its folder. */
const FOLDER_START: Readonly<Record<Role, string>> = {
  server: 'server-',
  authorization: 'authorization-server-',
};

/** A folder each, named after the scenario and the time. */
const outcomesIn = async (folder: string, start: string): Promise<Outcomes> => {
  const read = async (name: string) => {
    const scenario = name.slice(start.length).replace(/-\d{4}-\d\d-\d\dT[\w-]+$/, '');
    const checks = await readFile(join(folder, name, 'checks.json'), 'utf8').catch(() => '[]');
    return [scenario, JSON.parse(checks) as readonly Check[]] as const;
  };
  return new Map(await Promise.all((await readdir(folder)).map(read)));
};

/**
 * What is wrong with a scenario; nothing if it passed. One that left no result did not.
 *
 * @param inapplicable - ids of checks that need not pass; one of these that passes is wrong, too
 */
export const failuresOf = (
  outcomes: Outcomes,
  scenario: string,
  inapplicable: readonly string[] = [],
): readonly string[] => {
  const checks = outcomes.get(scenario);
  if (!checks || checks.length === 0) return [`${scenario}: did not run`];
  const hasFailed = (id: string): boolean =>
    checks.some((check) => check.id === id && check.status === 'FAILURE');
  return [
    ...checks
      .filter(({ id, status }) => status === 'FAILURE' && !inapplicable.includes(id))
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
    ...inapplicable
      .filter((id) => !hasFailed(id))
      .map((id) => `${scenario}: ${id}: is listed as not applicable, but did not fail`),
  ];
};
