// The second half of `npm run policies`: the tables of docs/permissions.md, from the policies that the first has written.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withPermissionTables } from '../lib/permissions/permission-tables.ts';

const DOCUMENT = new URL('../docs/permissions.md', import.meta.url);
const FOLDER = new URL('../local/policies/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

const { 'used-by-aws': usedByAws, ...policies } = Object.fromEntries(
  readdirSync(FOLDER)
    .toSorted()
    .map((name) => [name.replace('.json', ''), read(name)]),
);
const document = readFileSync(DOCUMENT, 'utf8');
writeFileSync(DOCUMENT, withPermissionTables(document, policies, usedByAws));
console.log('docs/permissions.md is written');
