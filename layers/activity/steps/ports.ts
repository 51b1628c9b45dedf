import type { ActivityPorts } from '../ports.ts';
import type { PlatformPorts } from '../../platform/ports.ts';
import type { MarkRefusedCredentialsPorts } from './mark-refused-credentials.ts';

export type StoreCallsPorts = Pick<
  ActivityPorts & PlatformPorts,
  'callStore' | 'log' | 'recordedCallStore'
> &
  MarkRefusedCredentialsPorts;
