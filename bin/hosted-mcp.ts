import { homedir } from 'node:os';
import { run } from '../cli/run.ts';
import { browse } from '../cli/browse.ts';
import { interrupted } from '../cli/interrupted.ts';

// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** The command line `hosted-mcp`, the client of the management API. */
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
  browse,
  interrupted,
  now: () => Math.floor(Date.now() / 1000),
});
// What was not read to its end would keep the program waiting.
process.stdin.destroy();
