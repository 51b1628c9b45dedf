import { Show } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { numbered } from '../../../kit/words.ts';
import { useAnswer } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';
import type { Range } from './range.ts';
import { clientOf, personOf } from './series.ts';

export const ByPerson = ({
  range,
  onChoose,
}: {
  readonly range: Range;
  readonly onChoose: (person: string) => void;
}) => {
  const { slug } = useServer();
  const callers = useAnswer(`callers:${slug}:${range.id}`, 'GET /deployments/{slug}/callers', {
    path: { slug },
    query: { since: range.sinceText },
  });
  return (
    <section>
      <h2>By person</h2>
      <Show loaded={callers}>
        {({ items, calls, complete }) =>
          items.length === 0 ? (
            <p class="soft">No call yet.</p>
          ) : (
            <>
              <Table
                label="By person"
                rows={items}
                keyOf={(caller) => `${caller.subject} ${caller.client_id ?? ''}`}
                columns={[
                  [
                    'Person or address',
                    (caller) => (
                      <button
                        type="button"
                        class="as-link"
                        onClick={() => onChoose(personOf(caller))}
                      >
                        {personOf(caller)}
                      </button>
                    ),
                  ],
                  ['Client', (caller) => clientOf(caller) ?? '–'],
                  ['Calls', (caller) => numbered(caller.calls), 'number'],
                  ['Errors', (caller) => numbered(caller.errors), 'number'],
                  ['Last', (caller) => <Time at={caller.last_at} />],
                ]}
              />
              {!complete && <p class="small soft">Of the latest {numbered(calls)} calls.</p>}
            </>
          )
        }
      </Show>
    </section>
  );
};
