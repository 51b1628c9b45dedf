import { member } from '../../layers/platform/rules/json/json.ts';
import type { Json } from '../json.ts';

/** Local time, as in `2026-03-01 12:00:05`. */
export const moment = (epochSeconds: number): string => {
  const at = new Date(epochSeconds * 1000);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`;
};

/** UTC, as in AWS logs: `2026-03-01 12:00:05Z`. */
export const momentInUtc = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('T', ' ').replace('.000', '');

const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** An RFC 3339 date-time as local time; other values unchanged. Source: RFC 3339 §5.6. */
export const localTime = (sent: unknown): unknown => {
  if (typeof sent !== 'string' || !sent.includes('T')) return sent;
  const at = Date.parse(sent);
  return Number.isNaN(at) ? sent : moment(at / 1000);
};

/** Reads a date-time column. */
export const timeOf =
  (member: string) =>
  (row: Json): unknown =>
    localTime(row[member]);

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of `90`, `90s`, `15m`, `12h`, `7d` or `2w`; undefined for anything else. */
export const secondsOf = (text: string): number | undefined => {
  const [, count, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (member(UNITS, unit) ?? 1);
};

/** A duration, rounded up to its largest unit: `5 min`, `1 h`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
};
