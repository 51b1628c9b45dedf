/**
 * Serves another commit of this repository beside this checkout, on the same embedded data, and walks through
 * both at once, as a release by canary has them:
 *
 *   npm run beside -- COMMIT           two walks in which they take turns, and eight as chance has it
 *   npm run beside -- COMMIT 100       a hundred by chance
 *
 * The last line says how many requests were answered by which; the first wrong answer ends it with the number
 * of its walk. A commit that reads other data is refused.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWholeService } from '../support/service/whole-service.ts';
import { formerVersion, NotBeside } from './former-version.ts';
import { alternating, byChance } from './turns.ts';
import { openVersions, type Turns, type Version } from './versions.ts';
import { walk } from './walk.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [commit, seeds = '8'] = process.argv.slice(2);
if (commit === undefined || !/^\d{1,4}$/.test(seeds)) {
  process.stderr.write('Say which commit: npm run beside -- COMMIT [WALKS]\n');
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-beside-'));
process.env['HOSTED_MCP_TEST_BUNDLES'] = join(folder, 'this');
const counts: Record<Version, number> = { former: 0, new: 0 };
let turns: Turns = () => 'new';
try {
  const { functions, additions } = formerVersion(commit, folder);
  for (const addition of additions) say(`stored since: ${addition}`);
  const { runFunction, renew } = openVersions(functions, (name) => {
    // It takes over at once, and knows commands that the former one does not.
    const version = name === 'maintenance' ? 'new' : turns(name);
    counts[version] += 1;
    return version;
  });
  const service = await startWholeService({ active_deployments_per_user: 100 }, { runFunction });
  try {
    const walks: readonly (readonly [string, Turns])[] = [
      ['by turns, the former first', alternating('former')],
      ['by turns, the new first', alternating('new')],
      ...Array.from(
        { length: Number(seeds) },
        (_, seed) => [`by chance, seed ${seed}`, byChance(seed)] as const,
      ),
    ];
    for (const [name, taken] of walks) {
      turns = taken;
      say(name);
      await walk(service, { renewRouter: () => renew('router') });
    }
    const denials = service.aws.takeDenials();
    if (denials.length > 0) throw new Error(`denied by AWS: ${JSON.stringify(denials)}`);
    say(`no wrong answer: ${counts.former} invocations of ${commit}, ${counts.new} of this`);
  } finally {
    await service.stop();
  }
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(
    `${error instanceof NotBeside ? error.message : String(error).slice(0, 1000)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
