import type { CallLog, Events } from './store/events.ts';

/** Stores and clients of `events`, by the names under which steps take them. */
export interface EventsPorts {
  readonly events: Events;
  readonly callLog: CallLog;
}
