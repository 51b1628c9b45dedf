import type { CallLog, Events } from './store/events.ts';

export interface EventsPorts {
  readonly events: Events;
  readonly callLog: CallLog;
}
