import type { CredentialsPorts } from '../credentials/ports.ts';
import type { DeploymentIds } from '../deployments/store/deployments.ts';
import type { OauthPorts } from '../oauth/ports.ts';
import type { Activity } from './store/activity.ts';
import type { CallStore } from './store/call-store.ts';
import type { CallTally } from './store/call-tally.ts';
import type { Calls } from './store/calls.ts';
import type { RecordedCallStore, RecordedCalls } from './store/recorded-calls.ts';
import type { RecordingKeys } from './store/recording-keys.ts';
import type { RecordingLog } from './store/recording-log.ts';
import type { TallyRequests } from './store/tally-requests.ts';
import type { Untallied } from './store/untallied.ts';

export interface ActivityPorts extends CredentialsPorts, OauthPorts {
  readonly activity: Activity;
  readonly callStore: CallStore;
  readonly callTally: CallTally;
  readonly deploymentIds: DeploymentIds;
  readonly calls: Calls;
  readonly recordingLog: RecordingLog;
  readonly recordingKeys: RecordingKeys;
  readonly recordedCallStore: RecordedCallStore;
  readonly recordedCalls: RecordedCalls;
  readonly tallyRequests: TallyRequests;
  readonly untallied: Untallied;
}
