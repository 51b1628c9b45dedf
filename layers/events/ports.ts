import type { CallLog, Events } from './store/events.ts';

/** What `events` lends to whoever asks for it by name. */
export interface EventsPorts {
  readonly events: Events;
  readonly callLog: CallLog;
}
