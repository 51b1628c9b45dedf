import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test } from '@jest/globals';
import { bundlesFolder } from '../support/aws/bundles.ts';
import { aMachine } from './fixtures/start.ts';

const LAUNCHER = new URL('../../bin/launch.mjs', import.meta.url).pathname;
const machine = aMachine(await bundlesFolder());
afterEach(() => machine.cleanUp());

const launched = async () =>
  machine.start({ HOSTED_MCP_DATA: await machine.folder() }, ['start'], [LAUNCHER]);

/** Resolves when nothing listens there any more. */
const silence = async (url: string): Promise<void> => {
  for (;;) {
    const alive = await fetch(url).then(
      () => true,
      () => false,
    );
    if (!alive) return;
  }
};

describe('the launcher', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on and ends as the service does',
    async (signal) => {
      const started = await launched();
      const url = await started.ready();
      started.process.kill(signal);

      expect(await started.ended()).toBe(0);
      await silence(url);
    },
  );

  test('ends the service when it is killed', async () => {
    const started = await launched();
    const url = await started.ready();
    started.process.kill('SIGKILL');
    await silence(url);

    expect(await started.ended()).toBeNull();
  });

  test.each([
    ['start', '--nope', "Unknown option '--nope'"],
    ['nothing', '', 'usage: node bin/launch.mjs start|test'],
  ])('ends with 1 when "%s %s" cannot be done', (program, option, why) => {
    const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, program, option], {
      encoding: 'utf8',
    });

    expect(status).toBe(1);
    expect(stderr).toContain(why);
  });
});
