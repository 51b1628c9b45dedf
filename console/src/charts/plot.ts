import UPlot from 'uplot';
import style from 'uplot/dist/uPlot.min.css' with { type: 'text' };

// The style is bundled with the chart library, so that the first view does not load it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets.push(sheet);

export interface PlotSeries {
  readonly name: string;
  /** The shapes can be told apart without colour. */
  readonly kind: 'columns' | 'line' | 'dashes';
  readonly values: readonly (number | null)[];
  /** Value of the whole period, shown while nobody points at a time. */
  readonly inAll: number | null;
}

export interface PlotContent {
  /** Epoch seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly written: (value: number) => string;
  readonly timeWritten: (seconds: number) => string;
  /** Name of the whole period, such as `Last 24 hours`. */
  readonly whenever: string;
}

const HEIGHT = 180;

/** uPlot moves the pointers of charts with the same sync key together. */
const TOGETHER = 'activity';

export const drawPlot = (element: HTMLElement, content: PlotContent) => {
  const { times, series, written, timeWritten, whenever } = content;
  const valueText = (value: number | null): string => (value === null ? '–' : written(value));
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour('soft'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  const plot = new UPlot(
    {
      width: Math.max(element.clientWidth, 200),
      height: HEIGHT,
      cursor: { sync: { key: TOGETHER }, y: false, points: { size: 7 }, drag: { x: false } },
      legend: { live: true, markers: { show: false } },
      scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_plot, splits, _axis, _space, step) => splits.map((at) => shortTime(at, step)),
        },
        {
          ...axis,
          size: 54,
          values: (_plot, splits) => splits.map((value) => (value < 0 ? '' : written(value))),
        },
      ],
      series: [
        { label: 'When', value: (_plot, at) => (at === null ? whenever : timeWritten(at)) },
        ...series.map(({ name, kind, inAll }) => ({
          label: name,
          stroke: colour(kind === 'columns' ? 'accent' : 'text'),
          width: kind === 'columns' ? 0 : 2,
          // Without its point, a single value between gaps would be invisible.
          points: { show: kind !== 'columns', size: 6 },
          value: (_plot: UPlot, value: number | null, _series: number, index: number | null) =>
            valueText(index === null ? inAll : value),
          ...(kind === 'columns' && {
            fill: colour('accent'),
            ...(UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [0.75, 36] }) }),
          }),
          ...(kind === 'dashes' && { dash: [4, 4] }),
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
  return {
    resize: (width: number) => plot.setSize({ width: Math.max(width, 200), height: HEIGHT }),
    destroy: () => plot.destroy(),
  };
};

const DAY = 86_400;

/** `14:00`; or `21 Nov` at midnight, and where each column is a day. */
const shortTime = (seconds: number, step: number): string => {
  const at = new Date(seconds * 1000);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return step >= DAY || isMidnight
    ? at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
};
