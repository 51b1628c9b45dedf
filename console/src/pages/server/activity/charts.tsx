import { useMemo } from 'preact/hooks';
import { Chart } from '../../../charts/chart.tsx';
import type { PlotContent, PlotSeries } from '../../../charts/plot.ts';
import { count, duration, numbered } from '../../../kit/words.ts';
import { meanMs, shareOf, type Slot, sumOf, type Unit } from './series.ts';

/** Three charts with one quantity each, so that no colour has to tell quantities apart. */
export const Charts = ({
  slots,
  unit,
  period,
}: {
  readonly slots: readonly Slot[];
  readonly unit: Unit;
  readonly period: string;
}) => {
  const contents = useMemo(() => {
    const all = sumOf(slots);
    const [whenever = ''] = period.split(',');
    const content = (
      written: (value: number) => string,
      series: readonly PlotSeries[],
    ): PlotContent => ({
      times: slots.map(({ from }) => from),
      timeWritten: (seconds) => timeOf(seconds, unit),
      written,
      series,
      whenever,
    });
    const series = (
      name: string,
      kind: PlotSeries['kind'],
      of: (numbers: typeof all) => number | null,
    ): PlotSeries => ({ name, kind, values: slots.map(of), inAll: of(all) });
    const trials = series('Your trials', 'dashes', (of) => of.trials);
    const longest = ({ timed, longestMs }: typeof all) => (timed === 0 ? null : longestMs);
    return {
      calls: content(whole, [
        series('Calls', 'columns', ({ calls }) => calls),
        ...(all.trials > 0 ? [trials] : []),
      ]),
      errors: content(whole, [series('Errors', 'columns', ({ errors }) => errors)]),
      latency: content(duration, [
        series('Mean', 'line', (of) => meanMs(of) ?? null),
        series('Longest', 'dashes', longest),
      ]),
    };
  }, [slots, unit, period]);
  return (
    <>
      <Figures slots={slots} />
      <div class="charts">
        <Chart title={`Calls by ${unit}`} content={contents.calls} />
        <Chart title={`Errors by ${unit}`} content={contents.errors} />
        <Chart title={`Time until the answer, by ${unit}`} content={contents.latency} />
      </div>
    </>
  );
};

const Figures = ({ slots }: { readonly slots: readonly Slot[] }) => {
  const all = useMemo(() => sumOf(slots), [slots]);
  const mean = meanMs(all);
  return (
    <dl class="figures">
      <div>
        <dt>Calls</dt>
        <dd>
          {numbered(all.calls)}
          {all.trials > 0 && (
            <span class="soft small"> and {count(all.trials, 'trial')} of yours</span>
          )}
        </dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd>
          {numbered(all.errors)} <span class="soft small">{shareOf(all)}</span>
        </dd>
      </div>
      <div>
        <dt>Mean time</dt>
        <dd>{mean === undefined ? '–' : duration(mean)}</dd>
      </div>
      <div>
        <dt>Longest</dt>
        <dd>{all.timed === 0 ? '–' : duration(all.longestMs)}</dd>
      </div>
    </dl>
  );
};

const whole = (value: number): string => (Number.isInteger(value) ? numbered(value) : '');

const timeOf = (seconds: number, unit: Unit): string =>
  new Date(seconds * 1000).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    // The API counts days in UTC; hours are shown in local time.
    ...(unit === 'hour' ? { hour: '2-digit', minute: '2-digit' } : { timeZone: 'UTC' }),
  });
