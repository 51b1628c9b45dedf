// The second half of `npm run policies`: the tables of docs/permissions.md, from the policies that the first has written.
import { readFileSync, writeFileSync } from 'node:fs';
import { withPermissionTables } from '../lib/permissions/permission-tables.ts';

const DOCUMENT = new URL('../docs/permissions.md', import.meta.url);
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../local/policies/${name}.json`, import.meta.url), 'utf8'));

const policies = { 'secrets-manager': read('secrets-manager'), envelope: read('envelope') };
const document = readFileSync(DOCUMENT, 'utf8');
writeFileSync(DOCUMENT, withPermissionTables(document, policies, read('used-by-aws')));
console.log('docs/permissions.md is written');
