import type { Period, Unit } from './series.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

export const RANGES = [
  { id: '24h', name: 'Last 24 hours, by hour', unit: 'hour', seconds: DAY },
  { id: '7d', name: 'Last 7 days, by day', unit: 'day', seconds: 7 * DAY },
  { id: '7d-hours', name: 'Last 7 days, by hour', unit: 'hour', seconds: 7 * DAY },
  { id: '30d', name: 'Last 30 days, by day', unit: 'day', seconds: 30 * DAY },
  { id: '90d', name: 'Last 90 days, by day', unit: 'day', seconds: 90 * DAY },
] as const satisfies readonly { id: string; name: string; unit: Unit; seconds: number }[];

/** A period that begins where a column of the chart begins. */
export interface Range extends Period {
  readonly id: string;
  readonly name: string;
  readonly sinceText: string;
}

/** @param id - of a range; the first one stands for any other text @param now - epoch seconds */
export const rangeOf = (id: string, now: number): Range => {
  const { seconds, ...range } = RANGES.find((one) => one.id === id) ?? RANGES[0];
  const column = range.unit === 'hour' ? HOUR : DAY;
  const since = Math.floor(now / column) * column - seconds + column;
  return { ...range, since, until: now, sinceText: new Date(since * 1000).toISOString() };
};
