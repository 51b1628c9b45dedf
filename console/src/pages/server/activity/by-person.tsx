import type { AnswerOf } from '../../../api/operation.ts';
import { Link } from '../../../kit/button.tsx';
import { Show } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { count, numbered } from '../../../kit/words.ts';
import { useAnswer } from '../../../state/load.ts';
import type { Range } from './range.ts';
import { personOf } from './series.ts';

export const ByPerson = ({
  slug,
  range,
  onChoose,
}: {
  readonly slug: string;
  readonly range: Range;
  readonly onChoose: (person: string) => void;
}) => {
  const callers = useAnswer(`callers:${slug}:${range.id}`, 'GET /deployments/{slug}/callers', {
    path: { slug },
    query: { since: range.sinceText },
  });
  return (
    <section>
      <h2>By person</h2>
      <Show loaded={callers}>
        {({ items, missing_arguments: missing, calls, complete }) =>
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
                  ['Client', (caller) => caller.client_id ?? '–'],
                  ['Calls', (caller) => numbered(caller.calls), 'number'],
                  ['Errors', (caller) => numbered(caller.errors), 'number'],
                  ['Last', (caller) => <Time at={caller.last_at} />],
                ]}
              />
              {!complete && <p class="small soft">Of the latest {numbered(calls)} calls.</p>}
              <MissingArguments slug={slug} missing={missing} />
            </>
          )
        }
      </Show>
    </section>
  );
};

/** Refusals for one argument from which the description may be wrong. */
const MANY = 5;

/** Arguments that refused calls lacked, with the remedy where there are many. */
const MissingArguments = ({
  slug,
  missing,
}: {
  readonly slug: string;
  readonly missing: AnswerOf<'GET /deployments/{slug}/callers'>['missing_arguments'];
}) =>
  missing.length === 0 ? null : (
    <>
      <h3>Refused for a missing argument</h3>
      <ul>
        {missing.map(({ tool, argument, calls }) => (
          <li key={`${tool} ${argument}`}>
            <code>{argument}</code> of <code>{tool}</code>: {count(calls, 'call')}
          </li>
        ))}
      </ul>
      {missing.some(({ calls }) => calls >= MANY) && (
        <p class="small">
          If the API takes such calls, its description asks for too much:{' '}
          <Link to={`/servers/${slug}/settings`}>let the API decide</Link>.
        </p>
      )}
    </>
  );
