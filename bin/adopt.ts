// `node bin/adopt.ts TEMPLATE FORMER`: writes the template and the resource list with which CloudFormation imports
// into a new stack what a deleted one left. Source: docs/aws.md, "Reusing the data of a deleted stage".
import { readFileSync, writeFileSync } from 'node:fs';
import { adoptionOf } from '../lib/data/adoption.ts';

const [template, former] = process.argv
  .slice(2)
  .map((path) => JSON.parse(readFileSync(path, 'utf8')));
if (!template || !former)
  throw new Error('write the template of the stack of data, and the list of resources');
const adoption = adoptionOf(template, former);
const write = (path: string, value: unknown): void => {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
  console.log(`${path} is written`);
};
write('adopted-template.json', adoption.template);
write('adopted-resources.json', adoption.resourcesToImport);
