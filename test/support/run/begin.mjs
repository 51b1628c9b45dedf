import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the tests a folder of its own for all that is temporary. */
export default () => {
  globalThis.temporaryFolder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
  process.env.TMPDIR = globalThis.temporaryFolder;
};
