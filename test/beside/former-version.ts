import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  recordedShape,
  SHAPE,
  shapeChanges,
  type StoredShape,
} from '../support/aws/stored-shape.ts';
import type { FormerFunctions } from './versions.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface FormerVersion {
  readonly functions: FormerFunctions;
  /** What is stored now and was not then. */
  readonly additions: readonly string[];
}

/** A version that cannot serve beside this one, in words. */
export class NotBeside extends Error {
  override readonly name = 'NotBeside';
}

/**
 * Makes the bundles of another commit with its own bundler, out of its own sources and the packages of this
 * checkout.
 *
 * @param folder - for its sources and bundles
 * @throws NotBeside if there is no such commit, or it reads other data
 */
export const formerVersion = (commit: string, folder: string): FormerVersion => {
  const sources = join(folder, 'sources');
  copySources(commit, sources);
  const additions = checkShape(commit, shapeAt(commit, sources), recordedShape());
  linkPackages(sources);
  const bundles = join(folder, 'bundles');
  const told = execFileSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', BUNDLE, sources, bundles],
    { encoding: 'utf8' },
  );
  const environments = JSON.parse(told) as Readonly<Record<string, readonly string[]>>;
  const functions = Object.entries(environments).map(([name, environment]) => [
    name,
    { entry: pathToFileURL(join(bundles, name, 'index.mjs')), environment },
  ]);
  return { functions: Object.fromEntries(functions), additions };
};

/**
 * Whether a version reads what another one writes, as far as both have recorded it.
 *
 * @returns what is stored besides
 * @throws NotBeside with what it cannot read
 */
export const checkShape = (
  commit: string,
  former: StoredShape,
  now: StoredShape,
): readonly string[] => {
  if (former.format !== now.format) {
    throw new NotBeside(
      `${commit} writes data of format ${former.format}, this version format ${now.format}: deploy a version between that reads both (docs/releases.md)`,
    );
  }
  const { additions, breaks } = shapeChanges(former, now);
  if (breaks.length > 0) {
    throw new NotBeside(`${commit} cannot read what this version writes: ${breaks.join('; ')}`);
  }
  return additions;
};

const copySources = (commit: string, folder: string): void => {
  const name = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`];
  const { status, stdout } = spawnSync('git', name, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new NotBeside(`there is no commit ${commit} in this repository`);
  mkdirSync(folder);
  const archive = ['archive', '--format=tar', stdout.trim()];
  const input = execFileSync('git', archive, { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input });
};

const shapeAt = (commit: string, sources: string): StoredShape => {
  const file = join(sources, SHAPE.pathname.slice(ROOT.length));
  if (!existsSync(file)) {
    throw new NotBeside(
      `${commit} is older than the record of what is stored (test/stored/shape.json): nobody knows what it reads`,
    );
  }
  return JSON.parse(readFileSync(file, 'utf8')) as StoredShape;
};

/** Packages of this checkout, and those that the service has in another version than its tools. */
const linkPackages = (sources: string): void => {
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
  const own = join(ROOT, 'layers', 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(sources, 'layers', 'node_modules'));
};

/** Runs in a process of its own: its modules are the other commit's. */
const BUNDLE = `
  const [, sources, folder] = process.argv;
  const { bundle } = await import(sources + '/lib/bundle/index.ts');
  const { functions } = await import(sources + '/lambdas/manifest.ts');
  await bundle(folder, { layerRoot: folder + '/layer' });
  const environments = Object.entries(functions).map(([name, one]) => [name, one.environment]);
  console.log(JSON.stringify(Object.fromEntries(environments)));
`;
