import type { ComponentChildren } from 'preact';
import { readAll } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { Coded } from '../../kit/copy.tsx';
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
    <Note kind={isNotable(difference) ? 'warn' : 'good'}>
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

/** Whether a person should look twice before it is published. */
export const isNotable = ({ breaking, moved }: Difference): boolean =>
  breaking || moved !== undefined;

/** Differences of tools, of which the breaking ones are open. @param slug - server whose recent calls are shown */
export const DifferenceList = ({ difference, slug }: { difference: Difference; slug?: string }) => {
  const { added, removed, renamed = [], changed, changed_left_out: more = 0 } = difference;
  const { mode, moved = [], breaking } = difference;
  const calls = useRecentCalls(breaking ? slug : undefined);
  const counted = [added, removed, renamed, changed, moved].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  if (counted === 0 && !mode) return <p>No tool differs.</p>;
  const breaks = changed.filter((one) => one.breaking);
  const others = changed.filter((one) => !one.breaking);
  const left = more > 0 ? <li>{count(more, 'more tool')}, too many to be listed</li> : null;
  return (
    <>
      {mode && (
        <p>
          Clients were shown {MODES[mode.before]} and are shown {MODES[mode.after]} now.
        </p>
      )}
      {moved.map(({ before, after }) => (
        <p key={before}>
          <strong>The API moves:</strong> calls went to <code>{before}</code> and go to{' '}
          <code>{after}</code>.
        </p>
      ))}
      <Names title="removed" names={removed} {...(calls && { calls })} />
      {renamed.length > 0 && (
        <Group
          title={`${count(renamed.length, 'tool')} renamed`}
          open={renamed.length <= MOST_OPEN}
        >
          {renamed.map(({ before, after }) => (
            <li key={after}>
              <code>{before}</code> is <code>{after}</code> now
              {calls && <span class="soft"> · {callsText(calls.get(before))}</span>}
            </li>
          ))}
        </Group>
      )}
      {breaks.length > 0 && (
        <Group title={`${count(breaks.length, 'tool')} changed so that calls may fail`} open>
          {breaks.map(({ name, changes }) => (
            <li key={name}>
              <code>{name}</code> <strong>breaks: </strong>
              <Coded text={changes.join('; ')} />
              {calls && <span class="soft"> · {callsText(calls.get(name))}</span>}
            </li>
          ))}
          {others.length === 0 && left}
        </Group>
      )}
      <Names title="added" names={added} />
      {others.length > 0 && (
        <Group
          title={`${count(others.length + more, 'tool')} changed and ${others.length + more === 1 ? 'goes' : 'go'} on working`}
          open={!breaking && others.length + more <= MOST_OPEN}
        >
          {others.map(({ name, changes }) => (
            <li key={name}>
              <code>{name}</code>: <Coded text={changes.join('; ')} />
            </li>
          ))}
          {left}
        </Group>
      )}
    </>
  );
};

const MOST_OPEN = 8;

const Group = ({
  title,
  open,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly children: ComponentChildren;
}) => (
  <details open={open}>
    <summary>{title}</summary>
    <ul class="findings">{children}</ul>
  </details>
);

const calledMost = (
  names: readonly string[],
  calls: ReadonlyMap<string, number>,
): readonly string[] =>
  names.toSorted((one, other) => (calls.get(other) ?? 0) - (calls.get(one) ?? 0));

const MODES = {
  operations: 'a tool for each operation',
  search: 'three tools that search',
} as const;

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
    <details open={names.length <= MOST_OPEN}>
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

/** Calls of each tool in the last 30 days, without trials; undefined until loaded, or without a `slug`. */
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
      calls.set(day.tool, (calls.get(day.tool) ?? 0) + day.calls);
    }
    return calls;
  });
  return loaded.value;
};
