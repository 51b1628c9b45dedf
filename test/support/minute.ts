import { setTimeout } from 'node:timers/promises';

/** What a few requests take at most. */
const ROOM_MS = 8000;
const MINUTE_MS = 60_000;

/** Waits if need be, so that what follows is counted in one minute. */
export const inOneMinute = async (): Promise<void> => {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (left < ROOM_MS) await setTimeout(left);
};

/** What is done within one minute: done anew, in the next one, where a minute ended meanwhile. */
export const withinOneMinute = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    await inOneMinute();
    const minute = minuteNow();
    const result = await work();
    if (minuteNow() === minute) return result;
  }
};

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS);
