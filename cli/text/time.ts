/** A moment as people read it, in UTC: `2026-03-01 12:00:05Z`. */
export const moment = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('T', ' ').replace('.000', '');

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of `90`, `90s`, `15m`, `12h`, `7d` or `2w`; undefined for anything else. */
export const secondsOf = (text: string): number | undefined => {
  const [, count, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
};

/** A length of time in its largest whole unit: `5 min`, `1 h`. */
export const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
};
