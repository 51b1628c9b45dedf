import { rmSync } from 'node:fs';

/** Removes it with whatever a test that failed, or was ended, has left. */
export default () => rmSync(globalThis.temporaryFolder, { recursive: true, force: true });
