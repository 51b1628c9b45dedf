import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('prover/', import.meta.url);

/** Of one pattern, on the clock: far more than any of the service's takes, also where the machine is busy. */
const MOST_MS = 600_000;

/** What `recheck` says, as far as it is read here. */
interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
}

type Check = (source: string, flags: string, parameters: object) => Diagnostics;

/**
 * Whether matching takes linear time, wherever a match may begin.
 *
 * @param pattern - as it is written: `/a+/g`
 * @returns why not, in words; undefined if it does
 */
export type WhyNotLinear = (pattern: string) => string | undefined;

/**
 * The prover that is installed beside this file. It decides with automata alone and tries nothing out, so
 * that it says the same on every machine.
 */
export const prover = (): WhyNotLinear => {
  if (!existsSync(new URL('node_modules/recheck', FOLDER))) install();
  // Its other forms are programs for single systems.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
  const { checkSync } = createRequire(FOLDER)('recheck') as { readonly checkSync: Check };
  return (pattern) => {
    const end = pattern.lastIndexOf('/');
    // A sticky pattern may be tried at each place.
    const flags = pattern.slice(end + 1).replace('y', '');
    return whyNot(checkSync, pattern.slice(1, end), flags);
  };
};

const install = (): void => {
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...options, '--loglevel=error'], {
    cwd: fileURLToPath(FOLDER),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
};

const whyNot = (check: Check, source: string, flags: string): string | undefined => {
  const parameters = { checker: 'automaton', timeout: MOST_MS };
  if (COUNTED.test(source) && check(hardened(source), flags, parameters).status === 'safe') {
    return undefined;
  }
  const { status, complexity, attack } = check(source, flags, parameters);
  if (status === 'safe') return undefined;
  return status === 'vulnerable'
    ? `${complexity?.summary}, on ${attack?.pattern}`
    : 'not decided: look-arounds, back references and the flag v are beyond the prover';
};

const COUNTED = /\{\d+,\d{2,}\}/;

/**
 * Counting takes a state for each number. A repetition without bound matches in more ways, and a pattern that
 * never matches leaves none of them untried: what is linear in this form was so before.
 */
const hardened = (source: string): string =>
  `(?:${source.replaceAll(/\{(\d+),\d+\}/g, (_, least) => (least === '0' ? '*' : '+'))})[^\\s\\S]`;
