import type { Activity } from './store/activity.ts';
import type { CallStore } from './store/call-store.ts';
import type { Calls } from './store/calls.ts';
import type { RecordedCallStore, RecordedCalls } from './store/recorded-calls.ts';
import type { RecordingKeys } from './store/recording-keys.ts';
import type { RecordingLog } from './store/recording-log.ts';

export interface ActivityPorts {
  readonly activity: Activity;
  readonly callStore: CallStore;
  readonly calls: Calls;
  readonly recordingLog: RecordingLog;
  readonly recordingKeys: RecordingKeys;
  readonly recordedCallStore: RecordedCallStore;
  readonly recordedCalls: RecordedCalls;
}
