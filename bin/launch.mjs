// Starts a program of this repository with what it needs: installs the packages that are missing and
// finds the right Node. Runs on any Node from 18 on and needs nothing itself.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { checkout, installedNode, isThisNode, missingNode } from './find-node.mjs';

/**
 * Node flags and environment of each program. The local run keeps little for long: small semi-spaces save 70 MB, and
 * two glibc arenas instead of one for each of many threads save 60 MB.
 */
const PROGRAMS = {
  start: {
    flags: ['--max-semi-space-size=8'],
    environment: { MALLOC_ARENA_MAX: '2' },
    path: 'bin/local.ts',
  },
  test: { flags: [], environment: {}, path: 'bin/test.mjs' },
};

const inCheckout = (path) => join(checkout, path);

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(PROGRAMS, name))
  end(`usage: node bin/launch.mjs ${Object.keys(PROGRAMS).join('|')}`);
if (!isInstalled()) install();
run(findNode(), PROGRAMS[name]);

/** Whether every package of the lockfile is installed in its version. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      !path.includes('node_modules/') ||
      (path in present
        ? present[path].version === version && existsSync(inCheckout(path))
        : optional === true),
  );
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(inCheckout(lockfile), 'utf8')).packages;
  } catch {
    return {};
  }
}

function install() {
  console.error('Installing packages, this takes a minute the first time ...');
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Under npm, the npm that is already running; otherwise the one on the path.
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...first, ...options], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (status !== 0) {
    end(
      'The packages could not be installed: see above, mend it, and run this command again ("npm ci" does it alone).',
    );
  }
}

function findNode() {
  const installed = installedNode();
  if (installed) return installed;
  if (isThisNode()) return process.execPath;
  return end(
    `${missingNode()}, and the one that comes as a package could not be installed: ` +
      'install Node 24 from https://nodejs.org and run this command again.',
  );
}

/** Starts the program: passes signals on, and exits with the program's status. */
function run(node, { flags, environment, path }) {
  const child = spawn(node, [...flags, inCheckout(path), ...args], {
    cwd: checkout,
    env: { ...environment, ...process.env },
    // The channel closes with this process, however it ends, which tells the program to end too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => end(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (process.env.npm_lifecycle_event) whenAbandoned(() => child.kill('SIGTERM'));
}

/**
 * npm starts this process through a shell. A signal that npm passes on kills the shell and does not reach this
 * process, and a killed npm passes on nothing: in both cases this process would be left behind.
 */
function whenAbandoned(react) {
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (!npm || existsSync(`/proc/${npm}`))) return;
    clearInterval(timer);
    react();
  }, 200).unref();
}

/** Process id of npm if it is the shell's parent, where the system has /proc. */
function npmAbove(shell) {
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, 'utf8');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('npm') ? parent : undefined;
  } catch {
    return undefined;
  }
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
