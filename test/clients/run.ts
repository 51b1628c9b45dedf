/**
 * Connects real clients to this service, as people install them:
 *
 *   npm run clients                        all of them, some minutes and 2 GB of packages
 *   npm run clients -- codex mcp-remote    some
 *
 * They are installed from the public npm registry, at pinned versions and without their install scripts, into
 * a temporary folder that is removed at the end. Then everything runs in a network of its own that has loopback
 * alone, where the system gives one (`unshare`); elsewhere proxies that lead nowhere keep clients from phoning
 * home.
 * None of them needs a model for what it does here. The table at the end tells what each said, and what the
 * log of the service says of it. Nothing depends on it: it is no test.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.ts';
import { CLIENTS } from './list.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A new network has loopback, but down. */
const UP_AND_RUN = 'ip link set lo up && exec "$@"';

const wanted = process.argv.slice(2);
const chosen = CLIENTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const unknown = wanted.filter((id) => !CLIENTS.some((client) => client.id === id));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no client ${unknown[0]}: ${[...new Set(CLIENTS.map(({ id }) => id))].join(', ')}.\n`,
  );
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-clients-'));
try {
  for (const packageName of new Set(chosen.flatMap((client) => client.package ?? []))) {
    say(`Installing ${packageName} ...`);
    await install(folder, packageName);
  }
  const program = fileURLToPath(new URL('walk.ts', import.meta.url));
  const args = [program, folder, ...chosen.map(({ id }) => id)];
  const isolated = spawnSync('unshare', ['-rn', 'true']).status === 0;
  const child = isolated
    ? spawn('unshare', ['-rn', 'sh', '-c', UP_AND_RUN, 'sh', process.execPath, ...args], {
        stdio: 'inherit',
      })
    : spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = Number(code ?? 1);
} finally {
  await rm(folder, { recursive: true, force: true });
}
