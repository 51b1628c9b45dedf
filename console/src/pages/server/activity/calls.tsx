import { useMemo, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { Command } from '../../../kit/copy.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { saveAs } from '../../../kit/save-as.ts';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import { count, duration, numbered } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useLoad } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { csvOf } from './csv.ts';
import { OneCall, type Outcome, OUTCOMES, Result } from './one-call.tsx';
import type { Range } from './range.ts';
import { reasonOf } from './reasons.ts';
import { countedOf, type ListedCall, personOf } from './series.ts';

/** Pages read by one press of the button: 1,000 calls. */
const PAGES = 10;
const ROW_PX = 44;

interface Read {
  readonly calls: readonly ListedCall[];
  readonly next: string | undefined;
}

interface CallsProps {
  readonly slug: string;
  readonly range: Range;
  readonly tool: string;
  readonly person: string;
}

export const Calls = ({ slug, range, tool, person }: CallsProps) => {
  const [outcome, setOutcome] = useQuery('outcome');
  const [shown, setShown] = useState<ListedCall>();
  const wanted = {
    since: range.sinceText,
    tool: tool || undefined,
    subject: person || undefined,
    outcome: (outcome || undefined) as Outcome | undefined,
  };
  const read = async (
    from: Read,
    pages: number,
    show: (part: Read) => void = () => undefined,
  ): Promise<Read> => {
    let all = from;
    for (let page = 0; page < pages; page += 1) {
      const query = { ...wanted, limit: 100, cursor: all.next };
      const { body } = await call('GET /deployments/{slug}/calls', { path: { slug }, query });
      all = { calls: [...all.calls, ...body.items], next: body.next_cursor };
      show(all);
      if (all.next === undefined) break;
    }
    return all;
  };
  const loaded = useLoad<Read>(`call-list:${slug}:${range.id}:${tool}:${person}:${outcome}`, () =>
    read({ calls: [], next: undefined }, 1),
  );
  const more = useAction(async () => {
    if (loaded.value) loaded.put(await read(loaded.value, PAGES));
  });

  return (
    <section>
      <h2>Calls</h2>
      <div class="row calls-head">
        <select
          aria-label="Outcome"
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        >
          <option value="">Every outcome</option>
          {Object.entries(OUTCOMES).map(([value, [name]]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        {loaded.value && loaded.value.calls.length > 0 && (
          <Button onClick={() => saveAs(`${slug}-calls.csv`, csvFile(loaded.value?.calls ?? []))}>
            Save as CSV
          </Button>
        )}
      </div>
      <Show loaded={loaded}>
        {({ calls, next }) =>
          calls.length === 0 ? (
            <p class="soft">
              {outcome || tool || person ? 'No call is like that.' : 'No calls in that time.'}
            </p>
          ) : (
            <>
              <p class="small soft counted" aria-live="polite">
                {next === undefined ? listedText(calls) : `The latest: ${listedText(calls)}`}
              </p>
              <Rows calls={calls} onShow={setShown} />
              <ProblemNote problem={more.problem} onRetry={() => void more.run()} />
              {next !== undefined && (
                <p>
                  <Button action={more}>Older calls</Button>
                </p>
              )}
            </>
          )
        }
      </Show>
      <Command lines={`npx --no-install hosted-mcp logs ${slug} --calls --follow`} />
      {shown && <OneCall slug={slug} shown={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
};

/** `5 calls, 4 trials of yours, 1 request that called no tool`: the totals count the same kinds. */
const listedText = (all: readonly ListedCall[]): string => {
  const numberOf = (...wanted: readonly ReturnType<typeof countedOf>[]) =>
    all.filter((one) => wanted.includes(countedOf(one))).length;
  const [trials, requests, unfinished] = [
    numberOf('trial'),
    numberOf('no_call'),
    numberOf('unfinished'),
  ];
  return [
    count(numberOf('success', 'error'), 'call'),
    ...(trials > 0 ? [`${count(trials, 'trial')} of yours`] : []),
    ...(requests > 0 ? [`${count(requests, 'request')} that called no tool`] : []),
    ...(unfinished > 0 ? [`${numbered(unfinished)} whose end is not known`] : []),
  ].join(', ');
};

const Rows = ({
  calls,
  onShow,
}: {
  readonly calls: readonly ListedCall[];
  readonly onShow: (one: ListedCall) => void;
}) => {
  const keyOf = useMemo(() => (one: ListedCall) => `${one.request_id}:${one.index}`, []);
  return (
    <VirtualList items={calls} rowHeight={ROW_PX} label="Calls" keyOf={keyOf}>
      {(one) => (
        <button
          type="button"
          class="call-row"
          title={one.reason === undefined ? undefined : reasonOf(one.reason).text}
          onClick={() => onShow(one)}
        >
          <span class="when">
            <Time at={one.at} />
          </span>
          <span class="name">{one.tool}</span>
          <span class="person soft">{personOf(one)}</span>
          <span class="outcome">
            <Result one={one} />
          </span>
          <span class="number soft">
            {one.answer_tokens !== undefined && count(one.answer_tokens, 'token')}
          </span>
          <span class="number soft">{duration(one.duration_ms)}</span>
        </button>
      )}
    </VirtualList>
  );
};

const csvFile = (calls: readonly ListedCall[]): Blob =>
  new Blob([csvOf(calls)], { type: 'text/csv' });
