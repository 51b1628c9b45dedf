import type { ActivityPorts } from '../activity/ports.ts';
import type { ConnectionsPorts } from '../connections/ports.ts';
import type { CareRequests } from './store/care-requests.ts';
import type { CaseStore } from './store/cases.ts';
import type { HeldDescriptions } from './store/held-descriptions.ts';
import type {
  CredentialTrials,
  DescriptionFetches,
  ToolTrials,
} from './store/function-requests.ts';

export interface ServersPorts extends ActivityPorts, ConnectionsPorts {
  readonly toolTrials: ToolTrials;
  readonly credentialTrials: CredentialTrials;
  readonly descriptionFetches: DescriptionFetches;
  readonly heldDescriptions: HeldDescriptions;
  readonly cases: CaseStore;
  readonly careRequests: CareRequests;
}
