import { readAll } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Note } from '../../kit/show.tsx';
import { nowInSeconds } from '../../kit/time.tsx';
import { count } from '../../kit/words.ts';
import { useLoad } from '../../state/load.ts';
import { rangeOf } from './activity/range.ts';

export type Difference = AnswerOf<'POST /deployments/{slug}/rollback'>['tools'];

export const DifferenceNote = ({
  difference,
  version,
}: {
  readonly difference: Difference | undefined;
  readonly version: number;
}) => {
  if (!difference) return null;
  return (
    <Note kind={difference.breaking ? 'warn' : 'good'}>
      <p>
        <strong>Version {version} is served.</strong>{' '}
        {difference.breaking
          ? 'A call that worked before may fail now.'
          : 'Every call that worked before works as before.'}
      </p>
      <DifferenceList difference={difference} />
    </Note>
  );
};

/**
 * Tools added, removed and changed.
 *
 * @param slug - of the server whose recent calls are told beside what breaks
 */
export const DifferenceList = ({ difference, slug }: { difference: Difference; slug?: string }) => {
  const { added, removed, changed, changed_left_out: more = 0, mode, breaking } = difference;
  const calls = useRecentCalls(breaking ? slug : undefined);
  if (added.length + removed.length + changed.length === 0 && !mode) return <p>No tool differs.</p>;
  return (
    <>
      {mode && (
        <p>
          Clients were shown {MODES[mode.before]} and are shown {MODES[mode.after]} now.
        </p>
      )}
      <Names title="added" names={added} />
      <Names title="removed" names={removed} {...(calls && { calls })} />
      {changed.length > 0 && (
        <details open={changed.length <= 8 || changed.some(({ breaking }) => breaking)}>
          <summary>{count(changed.length + more, 'tool')} changed</summary>
          <ul class="findings">
            {breakingFirst(changed).map(({ name, breaking, changes }) => (
              <li key={name}>
                <code>{name}</code> {breaking && <strong>breaks: </strong>}
                {changes.join('; ')}
                {breaking && calls && <span class="soft"> · {callsText(calls.get(name))}</span>}
              </li>
            ))}
            {more > 0 && <li>{count(more, 'more tool')}, too many to be listed</li>}
          </ul>
        </details>
      )}
    </>
  );
};

const breakingFirst = <Change extends { readonly breaking: boolean }>(
  changes: readonly Change[],
): readonly Change[] =>
  changes.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));

const calledMost = (
  names: readonly string[],
  calls: ReadonlyMap<string, number>,
): readonly string[] =>
  names.toSorted((one, other) => (calls.get(other) ?? 0) - (calls.get(one) ?? 0));

const MODES = {
  operations: 'a tool for each operation',
  search: 'three tools that search',
} as const;

/** Of the last 30 days. */
const callsText = (calls: number | undefined): string =>
  calls === undefined || calls === 0
    ? 'not called in the last 30 days'
    : `${count(calls, 'call')} in the last 30 days`;

const Names = ({
  title,
  names,
  calls,
}: {
  readonly title: string;
  readonly names: readonly string[];
  readonly calls?: ReadonlyMap<string, number>;
}) =>
  names.length === 0 ? null : (
    <details open={names.length <= 8}>
      <summary>
        {count(names.length, 'tool')} {title}
      </summary>
      {calls ? (
        <ul class="findings">
          {calledMost(names, calls).map((name) => (
            <li key={name}>
              <code>{name}</code> <span class="soft">· {callsText(calls.get(name))}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="mono">{names.join(', ')}</p>
      )}
    </details>
  );

/**
 * Calls of each tool in the last 30 days, without the owner's trials.
 *
 * @param slug - undefined: nothing is asked
 * @returns undefined until it is known
 */
const useRecentCalls = (slug: string | undefined): ReadonlyMap<string, number> | undefined => {
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
