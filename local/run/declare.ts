import { homedir } from 'node:os';
import { Readable } from 'node:stream';
import { StartRefused } from './start-refused.ts';
import type { Owner } from './data-folder.ts';
import { ownerToken } from './owner.ts';

/** Seconds for which a session is reused; it lives for an hour. */
const SESSION_SECONDS = 1800;

/**
 * Makes the servers of the local owner what a file declares, and again at each save, until the service ends. What
 * is wrong with the file is printed, and the servers stay as they were.
 *
 * @throws StartRefused when the owner has chosen another password
 *
 * Source: docs/declarations.md, "On your machine".
 */
export const declareServers = async (
  baseUrl: string,
  owner: Owner,
  file: string,
): Promise<void> => {
  // Imported here, so that other starts do not wait for the command line.
  const { run } = await import('../../cli/run.ts');
  const now = () => Math.floor(Date.now() / 1000);
  let session = { token: '', until: 0 };
  const token = async (): Promise<string> => {
    if (now() < session.until) return session.token;
    const signedIn = await ownerToken(baseUrl, owner);
    if (signedIn === undefined) {
      throw new StartRefused('--declare needs the password of the local owner, which was changed.');
    }
    session = { token: signedIn, until: now() + SESSION_SECONDS };
    return signedIn;
  };
  await token();
  await run(['apply', '--file', file, '--yes', '--watch'], {
    environment: { ...process.env, HOSTED_MCP_URL: baseUrl },
    home: homedir(),
    stdin: Readable.from([]),
    // Standard output ends with the line that programs wait for.
    stdout: process.stderr,
    stderr: process.stderr,
    fetch,
    now,
    token,
  });
};
