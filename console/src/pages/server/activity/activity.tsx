import { useMemo, useState } from 'preact/hooks';
import { readAll } from '../../../api/call.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Empty, Show } from '../../../kit/show.tsx';
import { nowInSeconds } from '../../../kit/time.tsx';
import { useLoad } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { ByPerson } from './by-person.tsx';
import { Calls } from './calls.tsx';
import { Charts } from './charts.tsx';
import { Changes, SecurityEvents } from './events.tsx';
import { Problems } from './problems.tsx';
import { Recorded } from './recorded.tsx';
import { type Range, rangeOf, RANGES } from './range.ts';
import {
  type ListedCall,
  type Period,
  type Slot,
  slotsOfCalls,
  slotsOfDays,
  type ToolDay,
  totalsByTool,
} from './series.ts';
import { Totals } from './totals.tsx';

/** Most calls of one person that are read for charts, because of the API's rate limit. */
const MOST_OF_ONE = 2000;

export const Page = () => {
  const [turn, setTurn] = useState(0);
  return <Activity key={turn} onLookAgain={() => setTurn(turn + 1)} />;
};

const Activity = ({ onLookAgain }: { readonly onLookAgain: () => void }) => {
  const { slug } = useServer();
  const [chosen, setRange] = useQuery('range');
  const [tool, setTool] = useQuery('tool');
  const [person, setPerson] = useQuery('person');
  const range = useMemo(() => rangeOf(chosen, nowInSeconds()), [chosen]);

  const days = useLoad<readonly ToolDay[]>(`activity:${slug}:${range.id}`, async (show) => {
    const query = { type: 'tool_invocations', since: range.sinceText } as const;
    const toolDays = (items: readonly unknown[]) => items as readonly ToolDay[];
    const come = (items: readonly unknown[]) => show(toolDays(items));
    return toolDays(
      await readAll('GET /deployments/{slug}/activity', { path: { slug }, query }, { come }),
    );
  });
  const theirs = useLoad<readonly ListedCall[]>(
    person === '' ? undefined : `calls-of:${slug}:${range.id}:${person}`,
    () =>
      readAll(
        'GET /deployments/{slug}/calls',
        { path: { slug }, query: { since: range.sinceText, subject: person } },
        { most: MOST_OF_ONE },
      ),
  );

  const filters = (
    <div class="activity-filters row">
      <select
        aria-label="Time"
        value={range.id}
        onChange={(event) => setRange(event.currentTarget.value)}
      >
        {RANGES.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Button busy={days.loading} onClick={onLookAgain}>
        Refresh
      </Button>
      {tool !== '' && <Chosen what="Tool" value={tool} onRemove={() => setTool('')} />}
      {person !== '' && <Chosen what="Person" value={person} onRemove={() => setPerson('')} />}
    </div>
  );

  return (
    <>
      {filters}
      <Show loaded={days}>
        {(all) =>
          all.length === 0 && !days.loading ? (
            <Quiet slug={slug} range={range} />
          ) : (
            <>
              {person === '' ? (
                <ChartsOf all={all} tool={tool} range={range} slotsOf={slotsOfDays} />
              ) : (
                <Show loaded={theirs}>
                  {(calls) => (
                    <>
                      {calls.length >= MOST_OF_ONE && (
                        <p class="small soft">
                          Of this person’s calls the latest {MOST_OF_ONE} are counted here.
                        </p>
                      )}
                      <ChartsOf all={calls} tool={tool} range={range} slotsOf={slotsOfCalls} />
                    </>
                  )}
                </Show>
              )}
              <div class="columns two">
                <ByTool days={all} range={range} onChoose={setTool} />
                <ByPerson range={range} onChoose={setPerson} />
              </div>
              <Problems slug={slug} range={range} />
            </>
          )
        }
      </Show>
      <Calls slug={slug} range={range} tool={tool} person={person} />
      <Recorded />
      <Changes range={range} />
      <SecurityEvents range={range} />
    </>
  );
};

const ChartsOf = <Item extends { readonly tool: string }>({
  all,
  tool,
  range,
  slotsOf,
}: {
  readonly all: readonly Item[];
  readonly tool: string;
  readonly range: Range;
  readonly slotsOf: (all: readonly Item[], period: Period) => readonly Slot[];
}) => {
  const slots = useMemo(() => {
    const wanted = tool === '' ? all : all.filter((one) => one.tool === tool);
    return slotsOf(wanted, range);
  }, [all, tool, range]);
  return <Charts slots={slots} unit={range.unit} period={range.name} />;
};

const ByTool = ({
  days,
  range,
  onChoose,
}: {
  readonly days: readonly ToolDay[];
  readonly range: Range;
  readonly onChoose: (tool: string) => void;
}) => {
  const totals = useMemo(() => totalsByTool(days, range), [days, range]);
  return (
    <Totals
      title="By tool"
      column="Tool"
      totals={totals}
      nameOf={(tool) => (
        <button type="button" class="as-link" onClick={() => onChoose(tool)}>
          {tool}
        </button>
      )}
    />
  );
};

const Chosen = ({
  what,
  value,
  onRemove,
}: {
  readonly what: string;
  readonly value: string;
  readonly onRemove: () => void;
}) => (
  <button type="button" class="chosen" onClick={onRemove}>
    <span>
      {what}: {value}
    </span>
    <span class="visually-hidden">(show all again)</span>
    <span aria-hidden="true">✕</span>
  </button>
);

const Quiet = ({ slug, range }: { readonly slug: string; readonly range: Range }) => (
  <Empty title="Nobody has called a tool yet">
    <p>
      There is nothing in the {range.name.toLowerCase().split(',')[0]}. A call shows here some
      seconds after it was made.
    </p>
    <ButtonLink to={`/servers/${slug}/connect`} kind="primary">
      Connect a client
    </ButtonLink>
  </Empty>
);
