import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { withPermissionTables } from '../../lib/permissions/permission-tables.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const policies = (name: string) => JSON.parse(read(`local/policies/${name}.json`));

describe('docs/permissions.md', () => {
  test('has the tables that `npm run policies` writes', () => {
    const document = read('docs/permissions.md');
    const stores = {
      'secrets-manager': policies('secrets-manager'),
      envelope: policies('envelope'),
    };

    expect(document).toBe(withPermissionTables(document, stores, policies('used-by-aws')));
  });
});
