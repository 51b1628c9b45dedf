// What `npm run package` and `npm run package-cdk` share: what is in a package, its provenance, and the package itself.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { checkout } from './find-node.mjs';

/** The folders of the packages that bundles have something of, below the checkout. */
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

/** The licences of the libraries in it, as these ask for wherever they go. */
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

/** @throws Error with what it says */
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
 * The bill of materials: of all that npm knows of the checkout, what is inside. It has neither time nor number, so that
 * a commit makes the same bytes again; and no address of ours, since no registry has the package.
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
    // Where it was installed for says nothing of where it is now.
    components: listed.map((one) => ({ ...one, scope: 'required', properties: [] })),
    dependencies: [
      { ref: own, dependsOn: [...inside].toSorted() },
      ...dependencies
        .filter(({ ref }) => isInside(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInside) })),
    ],
  };
};

/** The commit that a package is made of, where the checkout is one of Git. */
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

/** As `sha256sum --check` reads it. */
const sumsOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .toSorted()
    .map((path) => `${sha256(join(folder, path))}  ${path}\n`)
    .join('');

/**
 * Packs a folder, with the licences of what is inside, a bill of materials (beside the package, too), where it comes
 * from and the hashes of its files; and prints its path, and the lines that install it.
 *
 * @param inside - folders of the packages in it
 * @param install - makes the lines, of the name of the file
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
