import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../cli/run.ts';
import { browse, interrupted } from '../cli/world.ts';

// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** Only a checkout starts sources; what is installed from a package is a bundle. */
const isCheckout = import.meta.url.endsWith('.ts');
const isByNpx = process.env['npm_command'] === 'exec';

/** The command line `hosted-mcp`, the client of the management API. */
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  home: homedir(),
  program: isCheckout || isByNpx ? 'npx --no-install hosted-mcp' : 'hosted-mcp',
  ...(isCheckout && {
    localData: join(import.meta.dirname, '../.local'),
    stages: join(import.meta.dirname, '../config'),
  }),
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
