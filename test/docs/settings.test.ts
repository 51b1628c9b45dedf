import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { SETTINGS_DOCUMENTS, withSettingsTable } from '../../lib/stage/settings-tables.ts';

describe('the tables of settings', () => {
  test.each(SETTINGS_DOCUMENTS)('in %s are those that `npm run settings` writes', (path) => {
    const document = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

    expect(withSettingsTable(path, document)).toBe(document);
  });
});
