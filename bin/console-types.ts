// Writes down for the console what the management API's own description says: `npm run console-types`
// after a change of its routes.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { managementDocument } from './console-types/management-document.ts';
import { operationsModule } from './console-types/operations-module.ts';

const FILE = fileURLToPath(new URL('../console/src/api/operations.ts', import.meta.url));

writeFileSync(
  FILE,
  await format(operationsModule(managementDocument()), {
    parser: 'typescript',
    printWidth: 100,
    singleQuote: true,
  }),
);
