const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Gives a run of the tests a folder of its own for all that is temporary. */
module.exports = () => {
  globalThis.temporaryFolder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
  process.env.TMPDIR = globalThis.temporaryFolder;
  process.env.HOSTED_MCP_TEST_BUNDLES = join(globalThis.temporaryFolder, 'bundles');
};
