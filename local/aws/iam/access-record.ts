import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessControl } from './access-control.ts';

/** A test run collects these records of many processes to find grants that nothing needs. */
export const recordAccess = (access: Pick<AccessControl, 'takeDenials' | 'uses'>): void => {
  const folder = process.env['HOSTED_MCP_ACCESS_RECORDS'];
  if (folder === undefined) return;
  const record = { uses: access.uses(), denials: access.takeDenials() };
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(record));
};
