import type { ComponentChildren } from 'preact';
import { Table } from '../../../kit/table.tsx';
import { duration, numbered } from '../../../kit/words.ts';
import { meanMs, type Total } from './series.ts';

const SHOWN = 50;

export const Totals = ({
  title,
  column,
  totals,
  nameOf,
}: {
  readonly title: string;
  readonly column: string;
  readonly totals: readonly Total[];
  readonly nameOf: (name: string) => ComponentChildren;
}) => (
  <section>
    <h2>{title}</h2>
    {totals.length === 0 ? (
      <p class="soft">No call yet.</p>
    ) : (
      <Table
        label={title}
        rows={totals.slice(0, SHOWN)}
        keyOf={({ name }) => name}
        columns={[
          [column, ({ name }) => nameOf(name)],
          ['Calls', ({ calls }) => numbered(calls), 'number'],
          ['Errors', ({ errors }) => numbered(errors), 'number'],
          ...(totals.some(({ trials }) => trials > 0)
            ? [['Your trials', ({ trials }: Total) => numbered(trials), 'number'] as const]
            : []),
          ['Mean', (total) => timeText(meanMs(total)), 'number'],
        ]}
      />
    )}
    {totals.length > SHOWN && (
      <p class="small soft">
        The busiest {SHOWN} of {numbered(totals.length)}.
      </p>
    )}
  </section>
);

const timeText = (ms: number | undefined): string => (ms === undefined ? '–' : duration(ms));
