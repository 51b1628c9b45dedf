import { describe, expect, test } from '@jest/globals';
import { checkRestore } from '../../../layers/maintenance/steps/restore-check.ts';
import type { PortsOf } from '../../../layers/platform/ports.ts';

const slugs = Array.from({ length: 40 }, (_, number) => `s${number}`);

/** A store of deployments whose rows cannot be read; a later one is read sooner than those before it. */
const anUnreadableStore = (msLeft: () => number) => {
  let underWay = 0;
  const counts = { most: 0 };
  const read = async (turns: number): Promise<'unreadable'> => {
    underWay += 1;
    counts.most = Math.max(counts.most, underWay);
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    underWay -= 1;
    return 'unreadable';
  };
  const rows = slugs.map((slug) => ({ kind: 'deployment', slug, after: slug }) as const);
  const ports = {
    storedTables: { missing: async () => [] },
    storedRows: {
      page: async ({ after }: { readonly after?: string }) => ({
        items: after === undefined ? rows : rows.slice(slugs.indexOf(after) + 1),
      }),
      deployment: async (slug: string) => read(slugs.length - slugs.indexOf(slug)),
    },
    versions: { files: async () => ({ items: [] }) },
    timeLeft: { ms: msLeft },
  } as Partial<Record<keyof PortsOf<typeof checkRestore>, object>> as PortsOf<typeof checkRestore>;
  return { ports, counts };
};

const placesIn = ({ items }: Awaited<ReturnType<typeof checkRestore>>) =>
  items.map(({ where }) => where);

describe('a check of what is stored', () => {
  test('reads sixteen deployments at once, and tells of them in the order of their rows', async () => {
    const { ports, counts } = anUnreadableStore(() => 900_000);

    expect(placesIn(await checkRestore(ports))).toEqual(slugs);
    expect(counts.most).toBe(16);
  });

  test('goes on behind the last of those that were read when its time was over', async () => {
    const { ports } = anUnreadableStore(() => 0);
    const first = await checkRestore(ports);
    const second = await checkRestore(ports, first.next);
    const third = await checkRestore(ports, second.next);

    expect([first.next, second.next]).toEqual(['rows s15', 'rows s31']);
    expect([first, second, third].flatMap(placesIn)).toEqual(slugs);
    expect(third.next).toBeUndefined();
  });
});
