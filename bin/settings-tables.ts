// `npm run settings`: writes the tables of settings in documents, from `lib/stage/settings.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS_DOCUMENTS, withSettingsTable } from '../lib/stage/settings-tables.ts';

for (const path of SETTINGS_DOCUMENTS) {
  const url = new URL(`../${path}`, import.meta.url);
  writeFileSync(url, withSettingsTable(path, readFileSync(url, 'utf8')));
  console.log(`${path} is written`);
}
