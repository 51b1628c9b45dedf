import { moment } from '../kit/words.ts';

const HOUR_MS = 3_600_000;

/** When a plan counts anew: its hours and months are those of UTC. @param now - in milliseconds */
export const renewalOf = (window: 'hour' | 'month', now: number): string => {
  const date = new Date(now);
  const end =
    window === 'hour'
      ? (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
      : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return moment(new Date(end).toISOString());
};
