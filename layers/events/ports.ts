import type { PlatformPorts } from '../platform/ports.ts';
import type { CallLog, Events } from './store/events.ts';

export interface EventsPorts extends PlatformPorts {
  readonly events: Events;
  readonly callLog: CallLog;
}
