import { readAll } from '../../api/pages-of.ts';
import { useLoad } from '../../state/load.ts';
import { nowInSeconds } from '../../kit/time.tsx';
import { rangeOf } from './activity/range.ts';

/**
 * How often clients have called each tool of a server in the last 30 days; trials of its owner are not counted.
 *
 * @param slug - undefined: nothing is asked
 * @returns undefined until it is known
 */
export const useRecentCalls = (
  slug: string | undefined,
): ReadonlyMap<string, number> | undefined => {
  const loaded = useLoad(slug === undefined ? undefined : `recent-calls:${slug}`, async () => {
    const { sinceText: since } = rangeOf('30d', nowInSeconds());
    const query = { type: 'tool_invocations', since } as const;
    const days = await readAll('GET /deployments/{slug}/activity', {
      path: { slug: slug ?? '' },
      query,
    });
    const calls = new Map<string, number>();
    for (const day of days) {
      if (day.type !== 'tool_invocations') continue;
      const { tool, calls: all, trials } = day;
      calls.set(tool, (calls.get(tool) ?? 0) + all - trials);
    }
    return calls;
  });
  return loaded.value;
};
