const { rmSync } = require('node:fs');
const { accessProblems } = require('./access-problems.cjs');

/**
 * Removes it with whatever a test that failed, or was ended, has left.
 *
 * @throws Error for calls of functions that were denied, and, when all tests ran, for grants that nothing used
 */
module.exports = ({ nonFlagArgs, testNamePattern, testPathPatterns, onlyChanged, shard }) => {
  const some =
    nonFlagArgs.length > 0 ||
    (testPathPatterns?.patterns?.length ?? 0) > 0 ||
    Boolean(testNamePattern || onlyChanged || shard);
  try {
    const problems = accessProblems(process.env.HOSTED_MCP_ACCESS_RECORDS, { all: !some });
    if (problems.length > 0) throw new Error(problems.join('\n'));
  } finally {
    rmSync(globalThis.temporaryFolder, { recursive: true, force: true });
  }
};
