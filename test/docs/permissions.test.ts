import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { withPermissionTables } from '../../lib/permissions/permission-tables.ts';

const urlOf = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(urlOf(path), 'utf8');

describe('docs/permissions.md', () => {
  test('has the tables that `npm run policies` writes', () => {
    const document = read('docs/permissions.md');
    const { 'used-by-aws': usedByAws, ...policies } = Object.fromEntries(
      readdirSync(urlOf('local/policies'))
        .toSorted()
        .map((name) => [name.replace('.json', ''), JSON.parse(read(`local/policies/${name}`))]),
    );

    expect(document).toBe(withPermissionTables(document, policies, usedByAws));
  });
});
