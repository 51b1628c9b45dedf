const { mkdirSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const LAYERS = join(__dirname, '../../../node_modules/.cache/hosted-mcp-layers');

/** Gives a run of the tests a folder of its own for all that is temporary, and one for what was allowed and denied. */
module.exports = () => {
  globalThis.temporaryFolder = mkdtempSync(join(tmpdir(), 'hosted-mcp-test-'));
  process.env.TMPDIR = globalThis.temporaryFolder;
  process.env.HOSTED_MCP_TEST_BUNDLES = join(globalThis.temporaryFolder, 'bundles');
  process.env.HOSTED_MCP_TEST_SYNTHESES = join(globalThis.temporaryFolder, 'syntheses');
  process.env.HOSTED_MCP_LAYER_CACHE ??= LAYERS;
  // One that is named from outside stays, for whoever wants to read it.
  process.env.HOSTED_MCP_ACCESS_RECORDS ??= join(globalThis.temporaryFolder, 'access-records');
  mkdirSync(process.env.HOSTED_MCP_ACCESS_RECORDS, { recursive: true });
};
