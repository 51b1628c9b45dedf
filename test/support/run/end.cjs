const { rmSync } = require('node:fs');

/** Removes it with whatever a test that failed, or was ended, has left. */
module.exports = () => rmSync(globalThis.temporaryFolder, { recursive: true, force: true });
