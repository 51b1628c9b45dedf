// Compares the service's reader of YAML with js-yaml 4, yaml 2 and PyYAML on mutated descriptions:
// `npm run yaml-readers -- FOLDER [COUNT] [SEED]`. PyYAML is python3-yaml of Debian. Ends with 1 where those three
// agree and the service's reader does not.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from '../support/random.ts';
import { mutated } from './mutations.ts';
import { jsYaml4, ours, shapeOf, yaml2 } from './readers.ts';

const [folder, count = '2500', seed = '1'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run yaml-readers -- FOLDER [COUNT] [SEED]');

const texts = readdirSync(folder)
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const random = randomOf(Number(seed));
const documents = Array.from({ length: Number(count) }, () => mutated(random.pick(texts), random));

const PYTHON = `
import json, sys, yaml
def read(text):
    try: return yaml.load(text, yaml.BaseLoader)
    except Exception: return None
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;
const input = JSON.stringify(documents);
const read = JSON.parse(
  execFileSync('python3', ['-c', PYTHON], { input, maxBuffer: 2 ** 30 }).toString(),
) as unknown[];

let agreed = 0;
let different = 0;
for (const [index, text] of documents.entries()) {
  const python = read[index] ?? undefined;
  const expected = python === undefined ? undefined : JSON.stringify(shapeOf(python));
  if (expected === undefined || jsYaml4(text) !== expected || yaml2(text) !== expected) continue;
  agreed += 1;
  if (ours(text) === expected) continue;
  different += 1;
  process.stdout.write(`${JSON.stringify(text.slice(0, 2000))}\n`);
}
process.stdout.write(
  `${documents.length} documents, of which js-yaml 4, yaml 2 and PyYAML read ${agreed} alike; ${different} of these are read otherwise here\n`,
);
process.exitCode = different > 0 ? 1 : 0;
