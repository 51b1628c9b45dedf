import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../cli/run.ts';
import { browse, interrupted } from '../cli/world.ts';

// A reader that closes the pipe early, as `head` does, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** A checkout runs the TypeScript sources; a package holds a bundle. */
const isCheckout = import.meta.url.endsWith('.ts');
const isByNpx = process.env['npm_command'] === 'exec';

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
// An unread stdin would keep the process alive.
process.stdin.destroy();
