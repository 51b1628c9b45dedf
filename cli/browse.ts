import { spawn } from 'node:child_process';

/** What shows an address in the person's browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` of the shell would read what is in the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Does nothing where there is no browser: the address was printed, too. */
export const browse = (address: string): void => {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};
