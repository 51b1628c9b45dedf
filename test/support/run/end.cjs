const { rmSync } = require('node:fs');
const { accessProblems } = require('./access-problems.cjs');

/**
 * Removes it with whatever a test that failed, or was ended, has left. The run fails for calls of functions
 * that were denied, and, when all tests ran, for grants that nothing used.
 */
module.exports = ({ nonFlagArgs, testNamePattern, testPathPatterns, onlyChanged, shard }) => {
  const some =
    process.env.HOSTED_MCP_ALL_TESTS_RAN === undefined &&
    (nonFlagArgs.length > 0 ||
      (testPathPatterns?.patterns?.length ?? 0) > 0 ||
      Boolean(testNamePattern || onlyChanged || shard));
  try {
    const problems = accessProblems(process.env.HOSTED_MCP_ACCESS_RECORDS, { all: !some });
    if (problems.length > 0) {
      process.stderr.write(`\n${problems.join('\n')}\n`);
      // Thrown, it would keep Jest from writing how many tests have passed.
      process.exitCode = 1;
    }
  } finally {
    rmSync(globalThis.temporaryFolder, { recursive: true, force: true });
  }
};
