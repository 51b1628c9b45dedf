// `npm run schemas`: writes the JSON Schemas of log lines, for programs that read calls and events elsewhere.
import { writeFileSync } from 'node:fs';
import { LINE_SCHEMA } from '../layers/events/rules/call-record.ts';
import { type LineName, LINES, publishedSchema } from '../layers/events/rules/line-schemas.ts';

for (const name of Object.keys(LINES) as LineName[]) {
  const path = `docs/schemas/${name}-${LINE_SCHEMA}.json`;
  const text = `${JSON.stringify(publishedSchema(name), null, 2)}\n`;
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`${path} is written`);
}
