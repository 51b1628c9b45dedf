// Shared by `npm run package` and `npm run package-cdk`: licences, bill of materials, provenance and packing.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkout } from './find-node.mjs';

/** Banner of ES modules: CommonJS libraries in them load Node's modules by `require`. */
export const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Folders of the libraries that bundles contain, relative to the checkout. */
export const foldersIn = (metafiles, from = checkout) => {
  const folders = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
        const parts = path.split('/');
        const at = parts.lastIndexOf('node_modules') + 1;
        if (at === 0 || bytesInOutput === 0) return [];
        const folder = parts.slice(0, at + (parts[at].startsWith('@') ? 2 : 1)).join('/');
        return [relative(checkout, join(from, folder)).replaceAll(sep, '/')];
      }),
    ),
  );
  return [...new Set(folders)].toSorted();
};

const factsOf = (folder) =>
  JSON.parse(readFileSync(join(checkout, folder, 'package.json'), 'utf8'));

/** Licence texts of libraries, which their licences require in every copy. */
const licences = (folders) => {
  const byText = new Map();
  for (const folder of folders) {
    const { name, version, license } = factsOf(folder);
    const at = join(checkout, folder);
    const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? '' : readFileSync(join(at, file), 'utf8').trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}: ${license}\n`]);
  }
  return [...byText]
    .map(([text, names]) => `${names.join('')}\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
};

/** @returns what the command prints @throws Error with what it prints to stderr */
const run = (command, args, cwd) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} has failed: ${stderr}`);
  return stdout;
};

const npm = (args, cwd) => {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? run(process.execPath, [script, ...args], cwd)
    : run('npm', args, cwd);
};

/**
 * Bill of materials: those of the lockfile's packages that are inside. It has no time and no serial number, so that a
 * commit gives the same bytes again; and no address of ours, since no registry has the package.
 *
 * Source: CycloneDX 1.5.
 */
const billOf = ({ name, version, description, license }, folders) => {
  const {
    metadata,
    components,
    dependencies,
    serialNumber: _,
    ...bill
  } = JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], checkout));
  const inside = new Set(folders.map(factsOf).map(({ name: its, version: of }) => `${its}@${of}`));
  const own = `${name}@${version}`;
  const isInside = (ref) => inside.has(ref);
  const listed = components.filter((one) => isInside(one['bom-ref']));
  const unknown = [...inside].filter((ref) => !listed.some((one) => one['bom-ref'] === ref));
  if (unknown.length > 0) throw new Error(`package-lock.json does not have ${unknown.join(', ')}`);
  return {
    ...bill,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      tools: metadata.tools,
      component: {
        'bom-ref': own,
        type: 'library',
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
      },
    },
    // npm's properties say where the package lay in the checkout.
    components: listed.map((one) => ({ ...one, scope: 'required', properties: [] })),
    dependencies: [
      { ref: own, dependsOn: [...inside].toSorted() },
      ...dependencies
        .filter(({ ref }) => isInside(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInside) })),
    ],
  };
};

/** The Git commit that a package is made of, or `unknown` outside Git. */
const source = () => {
  try {
    const commit = run('git', ['rev-parse', 'HEAD'], checkout).trim();
    const isModified = run('git', ['status', '--porcelain'], checkout).trim() !== '';
    return { commit, ...(isModified && { modified: true }) };
  } catch {
    return { commit: 'unknown' };
  }
};

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Hashes of a folder's files, in the form that `sha256sum --check` reads. */
const sumsOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .toSorted()
    .map((path) => `${sha256(join(folder, path))}  ${path}\n`)
    .join('');

/**
 * Packs a folder with its licences, bill of materials, provenance and hashes; prints the package's path and how to
 * install it. The bill of materials is written beside the package, too.
 *
 * @param inside - folders of the libraries in it
 * @param install - makes the lines to install it from its file name
 */
export const pack = (folder, out, { facts, inside, install }) => {
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const text = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
  const bill = text(billOf(facts, inside));
  write('package.json', text(facts));
  write('THIRD-PARTY-LICENSES.txt', licences(inside));
  write('sbom.cdx.json', bill);
  const { name, version } = facts;
  const { version: esbuild } = factsOf('node_modules/esbuild');
  write('provenance.json', text({ name, version, ...source(), node: process.version, esbuild }));
  write('SHA256SUMS', sumsOf(folder));
  mkdirSync(out, { recursive: true });
  const [{ filename }] = Object.values(
    JSON.parse(npm(['pack', '--json', '--pack-destination', out], folder)),
  );
  const file = join(out, filename);
  writeFileSync(file.replace(/\.tgz$/, '.cdx.json'), bill);
  console.log(
    [
      file,
      '',
      'No registry has it. Copy the file to where it is needed, such as the repository of a pipeline, and there:',
      '',
      `  echo "${sha256(file)}  ${filename}" | sha256sum --check`,
      ...install(filename).map((line) => `  ${line}`),
    ].join('\n'),
  );
};
