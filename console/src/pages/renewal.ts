import { moment } from '../kit/words.ts';

const HOUR = 3600;

/** When a plan counts anew: its hours and months are those of UTC. @param now - in seconds */
export const renewalOf = (window: 'hour' | 'month', now: number): string => {
  const date = new Date(now * 1000);
  const end =
    window === 'hour'
      ? (Math.floor(now / HOUR) + 1) * HOUR * 1000
      : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return moment(new Date(end).toISOString());
};
